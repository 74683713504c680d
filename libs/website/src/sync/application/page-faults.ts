import { Problem } from '@atrium/platform/kernel';
import { WorkEnded } from '@atrium/platform/messaging';
import { CmsProblem } from '../domain/cms-problem';

/** A refusal or failure that other pages of the run need not share. */
export function isFaultOfPage(error: unknown): error is Problem {
  if (error instanceof WorkEnded || !(error instanceof Problem)) return false;
  return error instanceof CmsProblem ? !error.endsRun : error.status < 500;
}
