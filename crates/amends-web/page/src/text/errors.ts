// Errors in words, with what the server said where it says more.
import type { ApiError } from "../api/client";
import { number, words } from "../i18n";

export function errorText(error: ApiError): string {
  const w = words.value.errors;
  switch (error.status) {
    case 0:
      return w.offline;
    case 401:
      return w.token;
    case 403:
      return w.forbidden;
    case 404:
      return w.notFound;
    case 400:
    case 409:
    case 413:
    case 422:
      return w.refused;
    case 408:
    case 429:
      return error.retryAfter === null ? w.busy : w.busyFor(number(error.retryAfter));
    case 503:
      return w.stopping;
    case 500:
      return w.internal;
    default:
      return w.unexpected;
  }
}

/** What the server said of it, in English; empty where the sentence says it all. */
export function errorDetails(error: ApiError): string[] {
  if (error.status !== 422 && error.status !== 409 && error.status !== 400 && error.status !== -1) return [];
  if (error.problems.length) return error.problems.map(({ message, remedy }) => (remedy ? `${message}: ${remedy}` : message));
  return [error.remedy ? `${error.message}: ${error.remedy}` : error.message];
}
