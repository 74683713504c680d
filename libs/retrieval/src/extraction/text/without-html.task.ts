import { withoutHtml } from './without-html';

/** Several texts at once: those of one import are one message. */
export async function perform(markdowns: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const markdown of markdowns) answers.push(await withoutHtml(markdown));
  return answers;
}
