// What is the same for all applicants: the server's settings and the schema, fetched once.
import { computed, signal } from "@preact/signals";
import { type ApiError, asApiError, request } from "../api/client";
import type { About, Feature, Schema } from "../api/types";

export const about = signal<About | null>(null);
export const schema = signal<Schema | null>(null);
export const serverError = signal<ApiError | null>(null);

export const featuresByName = computed(() => new Map((schema.value?.features ?? []).map((feature) => [feature.name, feature])));

export const feature = (name: string): Feature | undefined => featuresByName.value.get(name);

export async function loadServer(): Promise<void> {
  serverError.value = null;
  try {
    const [settings, features] = await Promise.all([request<About>("/about"), request<Schema>("/schema")]);
    about.value = settings;
    schema.value = features;
  } catch (error) {
    serverError.value = asApiError(error);
  }
}
