// Which view shows which address, and what the menu offers. A new view is one entry here.
import type { ComponentType } from "preact";
import type { Words } from "../i18n/en";
import { ApplicantView } from "./applicant";
import { ApplicationsView } from "./applications";
import { AuditsView } from "./audits";
import { FormView } from "./form";
import { NotFoundView } from "./not-found";

export interface View {
  /** The first part of the path. */
  path: string;
  component: ComponentType;
  /** Its words in the menu; views without them are reached from others. */
  menu?: (words: Words) => string;
}

export const VIEWS: readonly View[] = [
  { path: "", component: ApplicationsView, menu: (words) => words.nav.applications },
  { path: "new", component: FormView, menu: (words) => words.nav.create },
  { path: "audits", component: AuditsView, menu: (words) => words.audit.menu },
  { path: "applicant", component: ApplicantView },
  { path: "application", component: ApplicantView },
];

export const viewOf = (path: readonly string[]): ComponentType =>
  VIEWS.find((view) => view.path === (path[0] ?? ""))?.component ?? NotFoundView;
