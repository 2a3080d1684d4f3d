// What the server's API answers (docs/serve.md).

/** A value as the table has it: numbers as numbers, levels and codes as texts. */
export type Value = number | string;
export type Application = Readonly<Record<string, Value>>;

export interface About {
  version: string;
  data: string;
  header: string[];
  cut: number;
  cut_probability: number | null;
  target: { column: string; favourable: string; unfavourable: string };
  max_changes: number;
  time_limit: number;
  features: number;
  applicants: { rows: number; rejected: number; held_out: number };
  letters: boolean;
  letter_columns: string[] | null;
  letter_formats: string[] | null;
  receipts: boolean;
  receipt_days: number | null;
  public_key: string | null;
  provenance: [string, string][];
}

export interface Counts {
  accepted: number;
  rejected: number;
}

export interface Distribution {
  rows: Counts;
  bins: { first: number; width: number; counts: Counts[]; least: number; most: number } | null;
  levels: Counts[];
  codes: Counts[];
}

/** A feature in another language than the schema's own. */
export interface Translation {
  label?: string;
  unit?: string;
  levels?: Record<string, string>;
  codes?: Record<string, string>;
}

export interface Feature {
  name: string;
  title: string;
  unit: string | null;
  kind: "integer" | "continuous" | "binary" | "categorical" | "ordinal";
  levels: { value: string; label: string }[];
  codes: { value: string; label: string }[];
  /** The numbers that the training rows and the schema's range leave; null for features with levels. */
  number: { least: number; most: number; step: number; decimals: number } | null;
  change: "free" | "increase" | "decrease" | "immutable";
  effort: number;
  range: [number, number] | null;
  /** The most and the least that a number may change by. */
  max_change?: number | null;
  least_change?: number | null;
  one_step: boolean;
  moves: { from: string; to: string[] }[];
  protected: boolean;
  together: string | null;
  distribution: Distribution | null;
  translations?: Record<string, Translation>;
}

export interface Schema {
  name: string;
  features: Feature[];
  rules: string[];
}

export interface Decision {
  score: number;
  probability: number | null;
  accepted: boolean;
}

export interface Applicant extends Decision {
  row: number;
}

export interface ApplicantWithApplication extends Applicant {
  application: Application;
}

export interface ApplicantPage {
  total: number;
  applicants: Applicant[];
}

export type Status = "optimal" | "feasible" | "infeasible" | "timeout" | "already-accepted";

export interface Change {
  feature: string;
  title: string;
  unit: string | null;
  before: Value;
  after: Value;
  together: string | null;
}

export interface Plan {
  status: Status;
  objective: number;
  bound: number | null;
  gap: number | null;
  distance: number;
  outlier: number;
  change_cost: number;
  mahalanobis: number;
  lof: number;
  score_after: number;
  probability_after: number | null;
  values_offered: number | null;
  moves: number;
  changes: Change[];
  application: Application;
  seconds: number;
  engine: string;
  remark: string | null;
  notes: string[];
}

export interface Reason {
  feature: string;
  value: Value;
  typical: Value;
  contribution: number;
  standard_error: number | null;
  share: number;
  actionable: boolean | null;
  flips: { moves: number; of: number } | null;
}

export interface ReasonBasis {
  group: "near-cut" | "all" | "accepted";
  members: number;
  used: number;
  method: { kind: "exact" } | { kind: "sampled"; permutations: number };
}

/** What would have to give way for a plan that there is not. */
export type Drop =
  | { max_changes: number }
  | { wish: { feature: string; key: WishKey } }
  | { rule: string }
  | { schema: { feature?: string; key?: string; rule?: string } };

export interface Way {
  drops: Drop[];
  status: Status;
  changes: Change[];
  objective: number | null;
}

export interface WhyNone {
  settled: boolean;
  all_ways: boolean;
  ways: Way[];
}

export interface Answer extends Decision {
  status: Status;
  plans: Plan[];
  end_kind: EndKind | null;
  why_none: WhyNone | null;
  /** So many values of each number were tried; null where all of them were. */
  values_offered: number | null;
  reasons: Reason[] | null;
  reason_basis: ReasonBasis | null;
  bound: number | null;
  seconds: number | null;
  remark: string | null;
  notes: string[];
}

/** How a search for several plans ended. */
export type EndKind = "all-found" | "no-further" | "complete" | "capped" | "stopped";

export type WishKey = "locked" | "range" | "change" | "effort" | "levels";

export interface FeatureWish {
  locked?: true;
  range?: [number, number];
  change?: "increase" | "decrease";
  effort?: number;
  levels?: string[];
}

export interface Wishes {
  max_changes?: number;
  features?: Record<string, FeatureWish>;
  rules?: string[];
}

/** The name of a wish in the answer of `/prices`; `rule` is an index. */
export type WishName = { feature: string; key: WishKey } | { key: "max_changes" } | { rule: number };

export interface Price {
  wish: WishName;
  status: Status;
  objective: number | null;
  saves: number | null;
  proven: boolean;
}

export interface Prices {
  objective: number | null;
  status: Status;
  prices: Price[];
}

export interface Tradeoff {
  status: Status;
  plans: Plan[];
  end_kind: EndKind | null;
}

export interface SignedReceipt {
  receipt: string;
  signature: string;
}

/** An applicant, by their row or by an application. */
export type Subject = { row: number } | { application: Application };
