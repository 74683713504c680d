import { eventually, type Client } from '@atrium/platform/testing';

export interface AnalysisBody {
  readonly fa_id: string;
  readonly fa_file: string;
  readonly fa_status: string;
  readonly fa_live: boolean;
  readonly fa_schema_version: number;
  readonly fa_result: Record<string, unknown>;
  readonly fa_confidence: Record<string, number>;
  readonly fa_missing: readonly { readonly field: string; readonly reason: string }[];
  readonly fa_edited: readonly string[];
  readonly fa_machine: Record<string, unknown>;
  readonly fa_model: string | null;
  readonly fa_credits: number;
  readonly fa_error: string | null;
}

export const field = (name: string, more: object = {}): object => ({ name, type: 'string', source: 'model', ...more });

export const createSchema = async (client: Client, mas_name: string, mas_fields: readonly object[], more: object = {}): Promise<string> =>
  (await client.post('/media-analysis-schemas', { mas_name, mas_fields, ...more }).expect(201)).body.mas_id as string;

export const readAnalysis = async (client: Client, fa_id: string): Promise<AnalysisBody> =>
  (await client.get(`/file-analyses/${fa_id}`).expect(200)).body as AnalysisBody;

/** The analysis once it is at rest. */
export const ended = (client: Client, fa_id: string): Promise<AnalysisBody> =>
  eventually(
    () => readAnalysis(client, fa_id),
    ({ fa_status }) => fa_status !== 'queued' && fa_status !== 'running',
    30_000,
  );

/** Asks for an analysis and waits for it. */
export async function analysed(client: Client, file: string, fa_schema: string, more: object = {}): Promise<AnalysisBody> {
  const { fa_id } = (await client.post(`/files/${file}/analysis`, { fa_schema, ...more }).expect(202)).body as AnalysisBody;
  return ended(client, fa_id);
}
