import { createRequire } from 'node:module';
import { Problem, type FieldFault, type ProblemCode } from '@atrium/platform/kernel';
import type { TaskModule } from './compute-task';

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

const load = createRequire(__filename);
/** Tasks that this process has loaded all of. */
const prepared = new Set<string>();

/** Does a task. Only trouble of this machine (a module or a file that is not there, a full disk) is thrown. */
export async function performTask({ module, input }: ComputeRequest, begin: () => void = () => undefined): Promise<ComputeAnswer> {
  const task = load(module) as TaskModule;
  if (!prepared.has(module)) await task.prepare?.();
  prepared.add(module);
  begin();
  try {
    return { value: await task.perform(input) };
  } catch (error) {
    if (error instanceof Problem) return { problem: { code: error.code, detail: error.detail, errors: error.errors } };
    if (isOfThisMachine(error)) throw error;
    return { unreadable: error instanceof Error ? error.message : String(error), isTooDeep: error instanceof RangeError };
  }
}

const isOfThisMachine = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || ('code' in error && /MODULE|ERR_REQUIRE/.test(String(error.code))));
