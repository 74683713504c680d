import type { FieldFault, ProblemCode } from '@atrium/platform/kernel';

/** What a computing process is asked: which module is to work on what. */
export interface ComputeRequest {
  readonly module: string;
  readonly input: unknown;
}

/** What comes of it: a value, what is wrong with the input in words that can be shown, or that it cannot be worked on. */
export type ComputeAnswer =
  | { readonly value: unknown }
  | { readonly problem: { readonly code: ProblemCode; readonly detail: string; readonly errors?: readonly FieldFault[] | undefined } }
  | { readonly unreadable: string; readonly isTooDeep: boolean };
