import { newId } from '@atrium/platform/kernel';
import { eventually, type Client } from '@atrium/platform/testing';

/** A job of a base as its routes answer it. */
export interface KnowledgeJobAnswer {
  readonly job_id: string;
  readonly job_kind: string;
  readonly job_base: string;
  readonly status: string;
  readonly done: number;
  readonly failed: number;
  readonly total: number | null;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly held_removes: number;
  readonly error: string | null;
  readonly result: Record<string, unknown> | null;
  readonly report_url: string | null;
}

export interface RecordAnswer {
  readonly rec_id: string;
  readonly rec_name: string;
  readonly rec_content: Record<string, unknown>;
  readonly rec_url: string | null;
  readonly rec_external_id: string | null;
  readonly rec_tags: readonly string[];
  readonly rec_language: string | null;
  readonly rec_status: string;
  readonly rec_source: string;
  readonly rec_crawl: string | null;
}

const ENDED = ['completed', 'partial', 'failed', 'cancelled'];
const MINUTE_MS = 60_000;

export const textBase = async (client: Client, more: object = {}): Promise<string> =>
  (await client.post('/knowledge-bases', { ds_name: `Base ${newId()}`, ds_type: 'text', ...more }).expect(201)).body.ds_id as string;

export const readJob = async (client: Client, ds_id: string, job_id: string): Promise<KnowledgeJobAnswer> =>
  (await client.get(`/knowledge-bases/${ds_id}/jobs/${job_id}`).expect(200)).body as KnowledgeJobAnswer;

/** The job when it has ended. */
export const ended = (client: Client, ds_id: string, job_id: string, withinMs = MINUTE_MS): Promise<KnowledgeJobAnswer> =>
  eventually(
    () => readJob(client, ds_id, job_id),
    ({ status }) => ENDED.includes(status),
    withinMs,
  );

/** All records of a base that are not deleted, by their names. */
export async function recordsOf(client: Client, ds_id: string, query = ''): Promise<RecordAnswer[]> {
  const { data } = (await client.get(`/knowledge-bases/${ds_id}/records?limit=1000${query}`).expect(200)).body as { data: RecordAnswer[] };
  return data.sort((a, b) => (a.rec_name < b.rec_name ? -1 : 1));
}

/** Rows of the report of a job, without its header. */
export async function reportOf({ report_url }: KnowledgeJobAnswer): Promise<string[]> {
  const text = await (await fetch(report_url ?? '')).text();
  return text.trim().split('\r\n').slice(1);
}
