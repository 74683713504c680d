import type { VerifyStep } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';

/** What is verified at one step of a connection; its problem names the step. */
export async function atStep<T>(step: VerifyStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CmsProblem)) throw error;
    const { reason, detail, retryAfter } = error;
    throw new CmsProblem(reason, `While reading the ${step}: ${detail}`, { field: step, retryAfter });
  }
}
