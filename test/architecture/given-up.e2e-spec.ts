import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { JobRegistry } from '@atrium/platform/messaging';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { Client } from 'pg';
import { makeAgent } from '../ai/agents';
import { messageOf, newThread, post, runOf } from '../ai/answering';
import { publicationOf, publish } from '../distribution/publishing';
import { guest, picture, publicPath, shareLink, type PublicFile } from '../distribution/sharing';
import { Crediting } from '../governance/crediting';
import { makeTarget } from '../social/made-targets';
import { startAtriumWithWorker } from '../support/api';
import { OPERATOR_TOKENS } from '../support/operating';
import { ask, asAdmin } from './asking';

const NOTHING_SHOWN = 'nothing that anybody is shown waits for it';
const TRACKED = 'its background job is ended by the queue itself';
const BY_THE_CLOCK = 'it is asked for again by the clock, and what it left is found then';

/** Jobs that end nothing when their queue gives them up, and why. */
const WITHOUT_END: Readonly<Record<string, string>> = {
  'ai.forget': NOTHING_SHOWN,
  'ai.holds-released': BY_THE_CLOCK,
  'ai.index': NOTHING_SHOWN,
  'ai.title': NOTHING_SHOWN,
  'ai.withdraw': 'nobody is in a deleted space, and the threads that still name it are withdrawn before it is removed',
  'approvals.approvers': NOTHING_SHOWN,
  'approvals.states': NOTHING_SHOWN,
  'distribution.guest-file': NOTHING_SHOWN,
  'distribution.notify': NOTHING_SHOWN,
  'distribution.policy': 'a policy that is not confirmed stays due, and the clock has it sent again',
  'distribution.quarantined': NOTHING_SHOWN,
  'distribution.served': NOTHING_SHOWN,
  'distribution.windows': BY_THE_CLOCK,
  'files.discarded': NOTHING_SHOWN,
  'files.verify': BY_THE_CLOCK,
  'governance.holds-ended': BY_THE_CLOCK,
  'governance.verify-audit': TRACKED,
  'identity.access-lists': NOTHING_SHOWN,
  'identity.key-expiry': NOTHING_SHOWN,
  'identity.mail': NOTHING_SHOWN,
  'identity.user-transfer': TRACKED,
  'identity.workspace-purge': BY_THE_CLOCK,
  'knowledge.discard': NOTHING_SHOWN,
  'knowledge.index': TRACKED,
  'knowledge.purge': BY_THE_CLOCK,
  'media.analyse-waiting': BY_THE_CLOCK,
  'media.cluster': NOTHING_SHOWN,
  'media.credit-news': BY_THE_CLOCK,
  'media.crops': NOTHING_SHOWN,
  'media.duplicates': NOTHING_SHOWN,
  'media.embed': BY_THE_CLOCK,
  'media.embed-waiting': BY_THE_CLOCK,
  'media.faces': NOTHING_SHOWN,
  'media.file-news': NOTHING_SHOWN,
  'media.keyword-tags': NOTHING_SHOWN,
  'media.smart-albums': BY_THE_CLOCK,
  'media.stock-ping': NOTHING_SHOWN,
  'media.tag-rules': NOTHING_SHOWN,
  'media.tag-words': NOTHING_SHOWN,
  'objects.adopt': TRACKED,
  'objects.detach': NOTHING_SHOWN,
  'objects.import': TRACKED,
  'objects.states': NOTHING_SHOWN,
  'objects.terms': TRACKED,
  'retrieval.credit-news': BY_THE_CLOCK,
  'retrieval.discard-texts': NOTHING_SHOWN,
  'retrieval.purge': BY_THE_CLOCK,
  'retrieval.reindex': TRACKED,
  'retrieval.waiting': BY_THE_CLOCK,
  'website.cms-news': NOTHING_SHOWN,
  'website.settle': NOTHING_SHOWN,
  'website.expire': BY_THE_CLOCK,
  'website.migrate': NOTHING_SHOWN,
  'social.accounts': BY_THE_CLOCK,
  'social.approval-news': NOTHING_SHOWN,
  'social.refresh': BY_THE_CLOCK,
};

const REASON = 'The work has ended its workers twice and is not tried again.';
/** Jobs of this test that no worker takes: their queue is to give them up. */
const HELD = ['ai.run', 'distribution.copy', 'files.watermark'];

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtriumWithWorker({ OPERATOR_TOKENS });
  ours = await api.workspace(['module-documents', 'module-objects', 'module-publication', 'module-social-post']);
  await new Crediting(api).grant(ours, { grant_credits: 10_000 });
}, 120_000);
afterAll(() => api.close());

const jobs = (): JobRegistry['jobs'] => api.worker.get(JobRegistry, { strict: false }).jobs;

/** What the queue does with a job that it gives up, before it closes its row. */
const giveUp = (name: string, payload: object, job_id = newId()): Promise<unknown> =>
  inWorkspace(ours.tenant_id, async () => {
    const job = jobs().find(({ definition }) => definition.name === name);
    await job?.giveUp?.(payload, { job_id, reason: REASON });
  });

/** Rows that show the state of a job, `$2` their id, while it runs; the row says the reason, or what else there is to say. */
const RUNNING: readonly {
  readonly job: string;
  readonly table: string;
  readonly row: string;
  readonly state: string;
  readonly payload: (id: string) => object;
  readonly says?: string;
}[] = [
  {
    job: 'files.bulk',
    table: 'file_job',
    row: "(tenant_id, job_id, job_kind, status) VALUES ($1, $2, 'reindex', 'running')",
    state: 'status',
    payload: (job_id) => ({ job_id }),
  },
  {
    job: 'files.zip',
    table: 'download_job',
    row: "(tenant_id, job_id, status, file_ids, file_count, total) VALUES ($1, $2, 'running', '{}', 1, 1)",
    state: 'status',
    payload: (job_id) => ({ job_id }),
  },
  {
    job: 'files.ingest',
    table: 'file',
    row: `(tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_size, file_provider_id, file_bucket, file_folder, file_current_version, file_blob)
          VALUES ($1, $2, '{"media": true}', 'media', 'a.jpg', 'image/jpeg', 1, gen_random_uuid(), 'b', 'f', $2, gen_random_uuid())`,
    state: 'file_processing',
    payload: (file_id) => ({ file_id, fv_id: file_id }),
    says: 'storage',
  },
  {
    job: 'forms.migrate',
    table: 'form_migration',
    row: "(tenant_id, mig_form, mig_revision, mig_status) VALUES ($1, $2, 1, 'running')",
    state: 'mig_status',
    payload: (form_id) => ({ form_id, revision: 1 }),
    says: 'could not',
  },
  {
    job: 'forms.adopt',
    table: 'form_migration',
    row: "(tenant_id, mig_form, mig_revision, mig_status) VALUES ($1, $2, 1, 'running')",
    state: 'mig_status',
    payload: (form_id) => ({ form_id, revision: 1 }),
    says: 'could not',
  },
  {
    job: 'governance.privacy',
    table: 'privacy_request',
    row: "(tenant_id, dsr_id, dsr_kind, dsr_subject_type, dsr_subject, dsr_subject_key, dsr_status, dsr_execute_after) VALUES ($1, $2, 'export', 'email', 'a@b.example', 'a@b.example', 'running', now())",
    state: 'dsr_status',
    payload: (dsr_id) => ({ dsr_id }),
  },
  ...['import', 'export', 'crawl'].map((kind) => ({
    job: `knowledge.${kind}`,
    table: 'knowledge_job',
    row: `(tenant_id, job_id, job_kind, job_base, job_crawl, status) VALUES ($1, $2, '${kind}', gen_random_uuid(), CASE WHEN '${kind}' = 'crawl' THEN gen_random_uuid() END, 'running')`,
    state: 'status',
    payload: (job_id: string) => ({ job_id }),
  })),
  {
    job: 'media.analysis',
    table: 'file_analysis',
    row: "(tenant_id, fa_id, fa_file, fa_version, fa_schema, fa_schema_version, fa_status) VALUES ($1, $2, gen_random_uuid(), 1, gen_random_uuid(), 1, 'running')",
    state: 'fa_status',
    payload: (fa_id) => ({ fa_id }),
  },
  {
    job: 'objects.sync',
    table: 'object_sync_run',
    row: "(tenant_id, job_id, job_source, trigger, status) VALUES ($1, $2, gen_random_uuid(), 'manual', 'running')",
    state: 'status',
    payload: (job_id) => ({ job_id }),
  },
  {
    job: 'website.publish',
    table: 'publish_schedule',
    row: "(tenant_id, sch_id, sch_site, sch_node, sch_action, sch_at, sch_created) VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), 'publish', now(), now())",
    state: 'sch_status',
    payload: (sch_id) => ({ sch_id }),
  },
  ...['sync', 'sync-resume'].map((name) => ({
    job: `website.${name}`,
    table: 'cms_run',
    row: "(tenant_id, job_id, site_id, direction, trigger, status, queued_at, fence) VALUES ($1, $2, gen_random_uuid(), 'pull', 'manual', 'running', now(), 1)",
    state: 'status',
    payload: (job_id: string) => ({ job_id, fence: 1 }),
  })),
  {
    job: 'retrieval.extract',
    table: 'file_text',
    row: "(tenant_id, file_id, ft_version, ft_status) VALUES ($1, $2, 'v', 'running')",
    state: 'ft_status',
    payload: (file_id) => ({ file_id, version: 'v' }),
  },
  {
    job: 'retrieval.index',
    table: 'passage_source',
    row: "(tenant_id, source_kind, source_id, source_wanted, source_status) VALUES ($1, 'test', $2, '1', 'pending')",
    state: 'source_status',
    payload: (id) => ({ kind: 'test', id }),
  },
];

/** Jobs whose ending a test shows. */
const shown = new Set<string>();
const ends = (job: string, title: string, work: () => Promise<void>): void => {
  shown.add(job);
  it(title, work);
};

describe('a job that its queue gives up', () => {
  it('ends what is shown of its work, unless nothing is, and a test here shows each ending', () => {
    const without = jobs().flatMap(({ definition: { name }, giveUp: end }) => (end ? [] : [name]));
    expect(without.sort()).toEqual(Object.keys(WITHOUT_END).sort());
    const withEnd = jobs().flatMap(({ definition: { name }, giveUp: end }) => (end ? [name] : []));
    expect([...shown].sort()).toEqual(withEnd.sort());
  });

  for (const { job, table, row, state, payload, says = REASON } of RUNNING)
    ends(job, `leaves nothing running: ${job}`, async () => {
      const id = newId();
      const admin = new Client({ connectionString: asAdmin(api.database) });
      await admin.connect();
      try {
        // Without the rows around it.
        await admin.query('SET session_replication_role = replica');
        await admin.query(`INSERT INTO ${table} ${row}`, [ours.tenant_id, id]);
        await giveUp(job, payload(id), id);
        const { rows } = await admin.query(
          `SELECT t.${state} AS state, position(lower($1) IN lower(t::text)) > 0 AS "saysWhy" FROM ${table} t WHERE t.tenant_id = $2 AND position($3 IN t::text) > 0`,
          [says, ours.tenant_id, id],
        );
        expect(rows).toEqual([{ state: 'failed', saysWhy: true }]);
        await admin.query(`DELETE FROM ${table} t WHERE t.tenant_id = $1 AND position($2 IN t::text) > 0`, [ours.tenant_id, id]);
      } finally {
        await admin.end();
      }
    });

  describe('among those that show their state', () => {
    beforeAll(async () => {
      await ask(
        asAdmin(api.database),
        `CREATE FUNCTION hold_jobs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.ev_due := now() + interval '1 day'; RETURN NEW; END $$;
         CREATE TRIGGER hold_jobs BEFORE INSERT ON outbox FOR EACH ROW WHEN (NEW.ev_name IN ('${HELD.join("', '")}')) EXECUTE FUNCTION hold_jobs()`,
      );
    });

    const payloadOf = async (name: string): Promise<object> => {
      const [row] = await api.sql<{ payload: object }>(
        "SELECT ev_payload AS payload FROM outbox WHERE tenant_id = $1 AND ev_kind = 'job' AND ev_name = $2 AND ev_done IS NULL",
        [ours.tenant_id, name],
      );
      if (!row) throw new Error(`There is no job ${name}.`);
      return row.payload;
    };

    ends('ai.run', 'an answer fails with the reason, and its thread is free', async () => {
      const { client } = ours.owner;
      const { agent_id } = await makeAgent(client, { agent_tools: [] });
      const thread = await newThread(client, { thread_agent: agent_id });
      const { run, assistant_message } = await post(client, thread, 'When is low tide?');
      await giveUp('ai.run', await payloadOf('ai.run'));
      expect(await messageOf(client, thread, assistant_message.msg_id)).toMatchObject({ msg_status: 'failed' });
      expect(await runOf(client, thread, run.run_id)).toMatchObject({ run_status: 'failed', run_error: { detail: REASON } });
      // A thread that is being answered in refuses questions.
      await post(client, thread, 'And when is high tide?');
    });

    ends('distribution.copy', 'a public copy has failed, and can be tried again', async () => {
      const { client } = ours.owner;
      const { file_id } = await picture(ours, 'copied.jpg', 1);
      await publish(client, file_id);
      await giveUp('distribution.copy', await payloadOf('distribution.copy'));
      expect(await publicationOf(client, file_id)).toMatchObject({ pub_copy_state: 'failed', pub_error: REASON });
    });

    /** A post whose only variant is on its way in that state. */
    const postOnItsWay = async (state: 'sending' | 'unknown'): Promise<{ readonly sp_id: string; readonly spv_id: string }> => {
      const sp_targets = [await makeTarget(api, ours.tenant_id)];
      const { body } = await ours.owner.client.post('/social-posts', { sp_text: `Given up ${state}`, sp_targets }).expect(201);
      const { sp_id, variants } = body as { sp_id: string; variants: { spv_id: string }[] };
      await api.sql(`UPDATE social_post SET sp_state = 'publishing', sp_started = now() WHERE sp_id = $1`, [sp_id]);
      await api.sql(`UPDATE social_variant SET spv_state = $2, spv_attempts = 1 WHERE spv_post = $1`, [sp_id, state]);
      return { sp_id, spv_id: variants[0]?.spv_id ?? '' };
    };
    const failureOf = async (sp_id: string): Promise<object> => {
      const { body } = await ours.owner.client.get(`/social-posts/${sp_id}`).expect(200);
      const { sp_state, variants } = body as { sp_state: string; variants: { spv_error: { code: string } }[] };
      return { sp_state, code: variants[0]?.spv_error.code };
    };

    ends('social.publish', 'a post that cannot be sent has failed, and can be retried', async () => {
      const { sp_id, spv_id } = await postOnItsWay('sending');
      await giveUp('social.publish', { spv_id, number: 1 });
      expect(await failureOf(sp_id)).toEqual({ sp_state: 'failed', code: 'unavailable' });
    });

    ends('social.reconcile', 'a post whose outcome cannot be determined has failed, and says so', async () => {
      const { sp_id, spv_id } = await postOnItsWay('unknown');
      await giveUp('social.reconcile', { spv_id, round: 1 });
      expect(await failureOf(sp_id)).toEqual({ sp_state: 'failed', code: 'outcome_unknown' });
    });

    ends('social.metrics', 'numbers that cannot be read at their age are not read, and the next ones are', async () => {
      const { spv_id } = await postOnItsWay('unknown');
      await api.sql(
        `UPDATE social_variant SET spv_state = 'published', spv_external_id = 'urn:li:share:' || spv_id, spv_published = now(), spv_metrics_next = now() WHERE spv_id = $1`,
        [spv_id],
      );
      await giveUp('social.metrics', { tgt_id: newId(), spv_ids: [spv_id] });
      const read = `SELECT spv_metrics_step AS step, spv_metrics_next > now() + interval '5 hours' AS later FROM social_variant WHERE spv_id = $1`;
      expect(await api.sql(read, [spv_id])).toEqual([{ step: 1, later: true }]);
    });

    ends('files.watermark', 'a picture with a mark that cannot be made is none, and is not asked for again by each visitor', async () => {
      const { file_id } = await picture(ours, 'marked.jpg', 2);
      const link = await shareLink(ours.owner.client, {
        share_type: 'files',
        share_file_ids: [file_id],
        share_options: { watermark: { text: 'ACME' } },
      });
      const seen = async (): Promise<PublicFile & { picture: string }> =>
        (
          (
            await guest(api)
              .get(`${publicPath(link)}/files`)
              .expect(200)
          ).body as { data: (PublicFile & { picture: string })[] }
        ).data[0]!;
      expect(await seen()).toMatchObject({ picture: 'making' });
      await giveUp('files.watermark', await payloadOf('files.watermark'));
      await api.sql("DELETE FROM outbox WHERE ev_name = 'files.watermark'");
      const { public_id } = await seen();
      expect(await seen()).toMatchObject({ picture: 'none', thumb_url: null });
      await guest(api)
        .get(`${publicPath(link)}/files/${public_id}/preview-url`)
        .expect(404);
      expect(await api.sql("SELECT FROM outbox WHERE ev_name = 'files.watermark'")).toEqual([]);
    });
  });
});
