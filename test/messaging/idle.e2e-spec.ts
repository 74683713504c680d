import { eventually, type RunningApi } from '@atrium/platform/testing';
import { startAtriumWithWorker } from '../support/api';
import { CountedStatements } from '../support/counted-statements';

/** A relay polls once a second when nothing wakes it. */
const POLL = 'outbox_claim_events';
/** Polls in which what a worker does when it starts is over. */
const UNTIL_QUIET = 8;
const POLLS = 20;
const MOST_OF_A_POLL = 10;
const WAIT_MS = 120_000;

describe('A service that has nothing to do', () => {
  let api: RunningApi;
  let statements: CountedStatements;

  beforeAll(async () => {
    api = await startAtriumWithWorker();
    statements = new CountedStatements(api);
  });

  afterAll(async () => {
    statements?.end();
    await api?.close();
  });

  const polls = (): number => statements.texts.filter((text) => text.includes(POLL)).length;
  const polled = (times: number): Promise<unknown> =>
    eventually(
      () => Promise.resolve(polls()),
      (count) => count >= times,
      WAIT_MS,
    );

  it('asks its database little: about ten statements in the time between two polls of a relay', async () => {
    await polled(UNTIL_QUIET);
    const from = statements.texts.length;
    await polled(UNTIL_QUIET + POLLS);
    const sent = statements.texts.slice(from);
    const found = `${sent.length} statements in ${POLLS} polls:\n${statements.mostOf(sent)}`;
    if (process.env.PRINT_STATEMENTS) process.stderr.write(`${found}\n`);
    if (sent.length > MOST_OF_A_POLL * POLLS) throw new Error(found);
  });
});
