import { API_PREFIX, type KeptAnswer } from '@atrium/platform/http';
import type { Response } from 'express';
import type { AskedMessage } from '../application/asking.service';
import type { RunStatus } from '../../records/domain/run';

/** A run that waits for somebody is not over: it goes on when they have answered. */
const OVER: ReadonlySet<RunStatus> = new Set(['completed', 'failed', 'stopped']);

const statusOf = ({ run }: Pick<AskedMessage, 'run'>): 200 | 201 | 202 => (run === null ? 201 : OVER.has(run.run_status) ? 200 : 202);

const headersOf = ({ run, user_message }: Partial<AskedMessage>): Record<string, string> => ({
  Location: run
    ? `/${API_PREFIX}/threads/${run.run_thread ?? ''}/runs/${run.run_id}`
    : `/${API_PREFIX}/threads/${user_message?.msg_thread ?? ''}/messages/${user_message?.msg_id ?? ''}`,
});

/** Answers with the status and the place of what was asked. */
export function answeredMessage<T extends AskedMessage>(response: Response, asked: T): T {
  response.status(statusOf(asked)).set(headersOf(asked));
  return asked;
}

/** The answer that a request leaves for its key in the unit of work that asked. */
export function keptOf(asked: Partial<AskedMessage>): KeptAnswer | undefined {
  if (!asked.user_message || asked.run === undefined || asked.assistant_message === undefined) return undefined;
  return { status: statusOf({ run: asked.run }), headers: headersOf(asked), body: asked };
}
