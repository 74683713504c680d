import { extractPlainly, keywordsPlainly, proofreadPlainly, summarizePlainly, titlePlainly } from './built-in-tasks';

/** What each task takes. */
export interface BuiltInInputs {
  readonly proofread: Parameters<typeof proofreadPlainly>;
  readonly summarize: Parameters<typeof summarizePlainly>;
  readonly title: Parameters<typeof titlePlainly>;
  readonly keywords: Parameters<typeof keywordsPlainly>;
  readonly extract: Parameters<typeof extractPlainly>;
}

/** What each task answers. */
export interface BuiltInAnswers {
  readonly proofread: ReturnType<typeof proofreadPlainly>;
  readonly summarize: Awaited<ReturnType<typeof summarizePlainly>>;
  readonly title: Awaited<ReturnType<typeof titlePlainly>>;
  readonly keywords: Awaited<ReturnType<typeof keywordsPlainly>>;
  readonly extract: Awaited<ReturnType<typeof extractPlainly>>;
}

export type BuiltInTask = keyof BuiltInInputs;

const TASKS: { readonly [K in BuiltInTask]: (input: BuiltInInputs[K]) => Promise<BuiltInAnswers[K]> } = {
  proofread: (input) => Promise.resolve(proofreadPlainly(...input)),
  summarize: (input) => summarizePlainly(...input),
  title: (input) => titlePlainly(...input),
  keywords: (input) => keywordsPlainly(...input),
  extract: (input) => extractPlainly(...input),
};

/** A short text loads all that a long one needs. */
export const prepare = (): Promise<unknown> => titlePlainly('The harbour office lets the berths of the quay.', 40);

export const perform = <K extends BuiltInTask>({
  task,
  input,
}: {
  readonly task: K;
  readonly input: BuiltInInputs[K];
}): Promise<BuiltInAnswers[K]> => TASKS[task](input);
