// What the server answers about audits (docs/serve.md).
import type { Status } from "./types";

/** So many of so many, with the 95 % interval of the share; the share of nobody is null. */
export interface Share {
  count: number;
  of: number;
  share: number | null;
  low: number;
  high: number;
}

/** A figure with its 95 % interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number | null;
}

export interface Quantiles {
  count: number;
  p5: number;
  p25: number;
  p50: number;
  p75: number;
  p95: number;
}

export interface PrincipalReasons {
  none_actionable: Share;
  none_flips: Share;
  features: { feature: string; people: Share; actionable: Share }[];
}

export interface Figures {
  applicants: number;
  accepted: Share;
  rejected: Share;
  with_plan: Share;
  optimal: Share;
  feasible: Share;
  infeasible: Share;
  timeout: Share;
  costs: Record<"objective" | "changes" | "seconds", Quantiles | null>;
  features: { feature: string; plans: Share }[];
  reasons: { reason: string; people: Share }[];
  principal_reasons?: PrincipalReasons;
}

/** A group, compared with the people of the column's other groups. */
export interface Group {
  group: string;
  small: boolean;
  figures: Figures;
  rejected_difference: Estimate | null;
  infeasible_difference: Estimate | null;
  cost_ratio: Estimate | null;
}

export interface GroupedColumn {
  column: string;
  title: string;
  groups: Group[];
}

export interface Summary {
  complete: boolean;
  errors: number;
  small_group: number;
  overall: Figures;
  by: GroupedColumn[];
}

export type AuditState = "queued" | "running" | "finished" | "cancelled" | "failed";

export interface AuditRequest {
  rows: "held-out" | "all";
  rejected: number | null;
  by: string[];
  reasons: boolean;
  small_group: number;
  time_limit: number;
}

export interface Audit {
  id: string;
  state: AuditState;
  created: string;
  request: AuditRequest;
  progress: { asked: number; done: number; rejected: number; rejected_of: number; errors: number; seconds: number; rest: number | null };
}

export interface AuditWithSummary extends Audit {
  summary: Summary;
}

/** A column that people can be grouped by; `groups` is null where it makes too many. */
export interface Column {
  name: string;
  title: string;
  unit: string | null;
  feature: boolean;
  protected: boolean;
  target: boolean;
  groups: string[] | null;
  count: number | null;
}

export interface AuditRow {
  row: number;
  accepted: boolean;
  score: number;
  probability: number | null;
  status: Status | "error";
  cost: number | null;
  changes: number | null;
  changed: string[] | null;
  why_none: string | null;
  reasons: { feature: string; actionable: boolean | null }[] | null;
  groups: Record<string, string>;
  message: string | null;
}

export const FILTERS = ["rejected", "no-plan", "unproven", "no-reason-actionable", "with-plan", "accepted", "error", "all"] as const;
export type Filter = (typeof FILTERS)[number];

export const FORMATS = ["html", "csv", "json", "rows.csv", "rows.jsonl"] as const;
export type Format = (typeof FORMATS)[number];

export const hasEnded = (state: AuditState): boolean => state !== "queued" && state !== "running";
