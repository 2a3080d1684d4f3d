// Requests to the server: JSON in, JSON or a typed error out.
import { token } from "../state/token";

const API = "/api/v1";

/** One thing that is wrong with a request, as the server words it, in English. */
export interface Problem {
  feature: string | null;
  message: string;
  remedy: string | null;
}

/** A request that was not answered. `status` is 0 where the server could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy: string | null = null,
    readonly problems: readonly Problem[] = [],
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** Any error as one that can be shown. */
export const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError(-1, error instanceof Error ? error.message : String(error));

/** The answer to a request, whatever its type. A `body` makes it a POST. */
export async function send(path: string, body?: unknown, signal?: AbortSignal, method?: "DELETE"): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token.value) headers["Authorization"] = `Bearer ${token.value}`;
  let response: Response;
  try {
    response = await fetch(API + path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: "no-store",
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, "the server cannot be reached");
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** The JSON answer to a request. */
export async function request<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await send(path, body, signal);
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError(0, "the answer was cut off");
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get("Retry-After"));
  const retryAfter = seconds > 0 ? seconds : null;
  const body = (await response.json().catch(() => null)) as {
    error?: { message?: string; remedy?: string | null; problems?: Problem[] };
  } | null;
  const error = body?.error;
  return new ApiError(response.status, error?.message ?? response.statusText, error?.remedy ?? null, error?.problems ?? [], retryAfter);
}
