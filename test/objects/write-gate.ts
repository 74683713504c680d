import { eventually, type RunningApi } from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { ask, asAdmin } from '../architecture/asking';

const GATE = 4_714;
/** Locks of every database of the server are in one list, and those that are copies of one another number their tables alike. */
export const THIS_DATABASE = '(SELECT oid FROM pg_database WHERE datname = current_database())';
const LOCKS = `FROM pg_locks WHERE locktype = 'advisory' AND database = ${THIS_DATABASE}`;
/** What waits at the gate: `SELECT pid ${WAITING_AT_GATE}`. */
export const WAITING_AT_GATE = `${LOCKS} AND objid = ${GATE} AND NOT granted`;
const LONGEST_WAIT = '5min';
/** Held by statements that wait without a lock. */
const ASLEEP = 4_713;

/** Holds writers up at rows that a test chooses, within their units of work, so that a worker can be killed in the middle of each. */
export class WriteGate {
  private readonly undo: string[] = [];
  private made = 0;

  private constructor(
    private readonly api: RunningApi,
    private readonly holder: Postgres,
  ) {}

  /** Who waits at the gate waits as long as a statement may take, beyond what the service allows for a lock. */
  static async open(api: RunningApi): Promise<WriteGate> {
    const holder = new Postgres({ connectionString: api.database.ownerUrl });
    await holder.connect();
    await holder.query(`
      CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '${LONGEST_WAIT}' AS $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
      SELECT pg_advisory_lock(${GATE})`);
    return new WriteGate(api, holder);
  }

  /** From now on every writer of such a row waits: `at('UPDATE ON object', "NEW.obj_external_id = 'lamp-7'")`. */
  async at(writing: `${'INSERT' | 'UPDATE' | 'INSERT OR UPDATE'} ON ${string}`, when: string): Promise<void> {
    const [, table = ''] = writing.split(' ON ');
    const name = `gate_${++this.made}`;
    await this.holder.query(`CREATE TRIGGER ${name} BEFORE ${writing} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION wait_at_gate()`);
    this.undo.push(`DROP TRIGGER ${name} ON ${table}`);
  }

  /** From now on every statement waits that folds this value, such as one that compares it with others: `atFolding('Lamp')`. No limit of locks ends it. */
  async atFolding(value: string): Promise<void> {
    const { rows } = await this.holder.query<{ before: string }>(`SELECT pg_get_functiondef('folded(text)'::regprocedure) AS before`);
    await this.holder.query(`
      CREATE OR REPLACE FUNCTION folded(written text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN
        IF written = '${value}' THEN PERFORM pg_advisory_xact_lock_shared(${ASLEEP}); END IF;
        WHILE written = '${value}' AND NOT pg_try_advisory_xact_lock_shared(${GATE}) LOOP PERFORM pg_sleep(0.02); END LOOP;
        RETURN lower(written); END $$`);
    this.undo.push(rows[0]?.before ?? '');
  }

  async untilHeldUp(count: number, withinMs = 120_000): Promise<void> {
    await eventually(
      () => this.api.sql(`SELECT pid ${WAITING_AT_GATE} UNION ALL SELECT pid ${LOCKS} AND objid = ${ASLEEP}`),
      (waiting) => waiting.length >= count,
      withinMs,
    );
  }

  /** Once the worker is gone: what it left waiting is undone, and nobody waits any more. */
  async clear(): Promise<void> {
    await ask(asAdmin(this.api.database), `SELECT pg_terminate_backend(pid) ${WAITING_AT_GATE}`);
    for (const undo of this.undo.splice(0)) await this.holder.query(undo);
  }

  /** Everybody goes on, and nobody waits any more. */
  async release(): Promise<void> {
    await this.holder.query(`SELECT pg_advisory_unlock(${GATE})`);
    for (const undo of this.undo.splice(0)) await this.holder.query(undo);
    await this.holder.query('DROP FUNCTION wait_at_gate()');
  }

  close(): Promise<void> {
    return this.holder.end();
  }
}
