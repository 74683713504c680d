import { performBuiltIn, titlePlainly, type BuiltInAnswers, type BuiltInInputs, type BuiltInTask } from './built-in-tasks';

/** A short text loads all that a long one needs. */
export const prepare = (): Promise<unknown> => titlePlainly('The harbour office lets the berths of the quay.', 40);

export const perform = <K extends BuiltInTask>({
  task,
  input,
}: {
  readonly task: K;
  readonly input: BuiltInInputs[K];
}): Promise<BuiltInAnswers[K]> => performBuiltIn(task, input);
