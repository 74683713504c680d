import { migrateQueue } from '@atrium/platform/messaging';
import { ModelServer, eventually, textPdf, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { Crediting } from '../governance/crediting';
import { EMBEDDING, MODELS_ON_LOOPBACK, provideModels } from '../models/providing';
import { BRIEF_LEASES, startAtrium } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { repeated } from '../support/repeated';
import { Hosts } from './hosts';

const DOCS = { file_repo: { library: ['docs'] } };
const PASSAGES = 5_000;
/** Texts of one call of the provider: the answer to the last call of a worker that is killed may be lost. */
const BATCH = 96;
/** How often a worker is killed while it indexes, each time further on. */
const KILLS = repeated('INDEXING_KILLS', { usual: 1, deep: 3 });
const PAGES = 200;

let arranger: RunningApi;
let server: ModelServer;
let crediting: Crediting;
let workspace: TestWorkspace;
const hosts = new Hosts();

beforeAll(async () => {
  server = await ModelServer.start();
  arranger = await startAtrium({ ...BRIEF_LEASES, ...MODELS_ON_LOOPBACK, OPERATOR_TOKENS });
  crediting = new Crediting(arranger);
  await migrateQueue(arranger.database.ownerUrl);
}, 60_000);
beforeEach(async () => {
  workspace = await arranger.workspace(['module-documents']);
  await crediting.grant(workspace, { grant_credits: 1_000 });
});
afterEach(() => hosts.close());
afterAll(async () => {
  await arranger.close();
  await server.stop();
});

const rows = <Row extends Record<string, unknown>>(text: string): Promise<Row[]> => arranger.sql<Row>(text, [workspace.tenant_id]);
const count = async (table: string, condition = 'true'): Promise<number> =>
  (await rows<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table} WHERE tenant_id = $1 AND ${condition}`))[0]?.count ?? 0;
const used = async (param: string): Promise<number> =>
  (
    await rows<{ units: number }>(
      `SELECT coalesce(sum(usage_consumed_units), 0)::float8 AS units FROM usage_entry WHERE tenant_id = $1 AND usage_param = '${param}'`,
    )
  )[0]?.units ?? 0;
const live = (): Promise<number> => count('passage_source', "source_status = 'live'");

/** Headings cut it: one passage each. */
const berths = (seed: number): string =>
  Array.from({ length: PASSAGES }, (_, at) => `## Berth ${seed} ${at}\n\nBerth ${at} of quay ${seed} is let to boat ${at * 7}.`).join(
    '\n\n',
  );

describe('a worker that is killed', () => {
  it.each(Array.from({ length: KILLS }, (_, at) => at))(
    '[documents 19] in the middle of 5,000 passages leaves the rest to the next one: none twice, no embedding bought twice (%#)',
    async (nth) => {
      await hosts.witness(async () => {
        await provideModels(arranger, workspace, server, [{ ...EMBEDDING, model_default: true }]);
        server.embeddings.length = 0;
        const killed = await hosts.worker();
        await upload(workspace.owner.client, 'berths.md', Buffer.from(berths(nth)), DOCS);
        const batches = 4 + ((nth * 11) % 45);
        await eventually(
          () => Promise.resolve(server.embeddings.length),
          (calls) => calls >= batches,
          60_000,
        );
        await killed.end('SIGKILL');
        expect(await count('passage')).toBe(0);
        expect(await count('vector_entry')).toBeLessThan(PASSAGES);

        await hosts.worker();
        await eventually(live, (sources) => sources === 1, 150_000);
        const [whole] = await rows<{ passages: number; ordinals: number; texts: number; last: number }>(
          'SELECT count(*)::integer AS passages, count(DISTINCT psg_ordinal)::integer AS ordinals, count(DISTINCT psg_hash)::integer AS texts, max(psg_ordinal) AS last FROM passage WHERE tenant_id = $1',
        );
        expect(whole).toEqual({ passages: PASSAGES, ordinals: PASSAGES, texts: PASSAGES, last: PASSAGES - 1 });
        expect(await count('vector_entry')).toBe(PASSAGES);

        const asked = server.embeddings.flatMap(({ input }) => input);
        const texts = new Set(asked);
        expect(texts.size).toBe(PASSAGES);
        expect(asked.length - texts.size).toBeLessThanOrEqual(BATCH);
        const tokens = [...texts].reduce((sum, text) => sum + text.split(/\s+/).length, 0);
        expect(await used('ai.embedding_tokens')).toBe(tokens);
        await crediting.audit(workspace);
      });
    },
    300_000,
  );

  it('while it reads texts leaves them to the next one, which reads and charges each once', async () => {
    await hosts.witness(async () => {
      const line = (page: number, at: number) => ({
        text: `Line ${at} of page ${page} tells of boats and berths.`,
        x: 60,
        y: 780 - at * 14,
      });
      const pages = Array.from({ length: PAGES }, (_, page) => Array.from({ length: 40 }, (_, at) => line(page, at)));
      const killed = await hosts.worker();
      for (const name of ['one.pdf', 'two.pdf', 'three.pdf']) await upload(workspace.owner.client, name, textPdf(pages, name), DOCS);
      await eventually(
        () => count('file_text', "ft_status = 'running'"),
        (running) => running > 0,
        60_000,
      );
      await killed.end('SIGKILL');
      expect(await count('file_text', "ft_status = 'ready'")).toBeLessThan(3);

      await hosts.worker();
      await eventually(live, (sources) => sources === 3, 200_000);
      expect(await count('file_text', `ft_status = 'ready' AND ft_pages = ${PAGES}`)).toBe(3);
      expect(await used('documents.conversion_pages')).toBe(3 * PAGES);
      expect(await count('passage')).toBe(
        (await rows<{ sum: number }>('SELECT sum(source_passages)::integer AS sum FROM passage_source WHERE tenant_id = $1'))[0]?.sum,
      );
    });
  }, 300_000);
});
