// For each kind of job that reads what others wrote, each format and each shape, what makes the job run, and when it has ended.
import { setTimeout as pause } from 'node:timers/promises';
import { upload } from '../bench/document-uploads.mjs';
import { bytesOf, DOCUMENTS, LARGEST_TEXT, TABLES } from './costly-files.mjs';
import { SHAPES } from './costly-shapes.mjs';
import { ROWS, SITES, siteOf } from './costly-site.mjs';

const POLLED_MS = 100;
/** Every job ends within this, however large its file is. */
const PATIENCE_MS = 15 * 60_000;
/** A host answers again within this. */
const LOST_MS = 60_000;
const LONGEST_NAME = 250;
const LONGEST_MESSAGE = 100_000;
const LONGEST_BODY = 200_000;
const ENDED = ['completed', 'partial', 'failed', 'cancelled'];
const BUSY = [429, 503];

const MEDIA = { library: ['media'] };
const DOCS = { library: ['docs'] };
/** What is made of other formats does not depend on where they are. */
const OF_BASES = ['md', 'html', 'xlsx', 'docx'];
const OF_MEDIA = ['svg', 'html', 'pdf', 'zip', 'eml'];
const FIELDS = [
  { key: 'title', type: 'text', label: 'Title' },
  { key: 'body', type: 'long_text', label: 'Body' },
];
/** Of each job one case, of those whose files are read to their end: what CI measures. */
const BRIEF = [
  'import of records · csv · words',
  'import of objects · json · words',
  'crawl · page · tags',
  'sync · texts · words',
  'name · download · marks',
  'text · record · words',
  'document · html · tags',
  'file of a base · docx · words',
  'file of the media library · svg · word',
];
const MAPPING = { external_id: { path: '$.id' }, name: { path: '$.title' }, body: { path: '$.body' } };

/** The jobs of one workspace, through the interface that its members use. */
export class CostlyJobs {
  #client;
  #base;
  #schema;

  /** `client` as of `clientOf`; `size` of files in bytes. */
  constructor(client, { size = LARGEST_TEXT } = {}) {
    this.#client = {
      get: (path) => patient(() => client.get(path), { orLost: true }),
      post: (path, body) => patient(() => client.post(path, body), { orLost: true }),
    };
    this.size = size;
  }

  /** What the jobs write into. */
  async prepare() {
    this.#base = (await this.#client.post('/knowledge-bases', { ds_name: 'Hostile' })).ds_id;
    this.#schema = (await this.#client.post('/object-schemas', { form_name: 'Hostile', form_config: { fields: FIELDS } })).form_id;
  }

  /** `{ name, group, shape, run(attempt) }` of all; `run` ends when its job has, and says what became of it. */
  cases() {
    const ofFiles = (job, formats, run) =>
      this.#each(job, formats, (format, shape, salt) => run(format, this.#made(formats[format], shape, salt), shape, salt));
    const only = (names) => Object.fromEntries(names.map((name) => [name, DOCUMENTS[name]]));
    return [
      // Imports give way to what is read one by one.
      ...ofFiles('import of records', TABLES, (format, bytes, _, salt) => this.#importRecords(format, bytes, salt)),
      ...ofFiles('import of objects', TABLES, (format, bytes, _, salt) => this.#importObjects(format, bytes, salt)),
      ...this.#each('crawl', SITES, (site, shape, salt) => this.#crawl((origin) => SITES[site](shape, salt, origin, this.size))),
      ...this.#each('sync', ROWS, (rows, shape, salt) => this.#sync(rows === 'table', () => ROWS[rows](shape, salt, this.size))),
      ...this.#each('name', { file: 1, download: 1 }, (what, shape, salt) => this.#named(what, shape, salt)),
      ...this.#each('text', { record: 1, message: 1, object: 1 }, (what, shape, salt) => this.#text(what, shape, salt)),
      ...ofFiles('document', DOCUMENTS, (format, bytes, _, salt) => this.#read({ file_repo: DOCS }, format, bytes, salt)),
      ...ofFiles('file of a base', only(OF_BASES), (format, bytes, _, salt) =>
        this.#read({ file_repo: { ds: this.#base } }, format, bytes, salt),
      ),
      ...ofFiles('file of the media library', only(OF_MEDIA), (format, bytes, _, salt) =>
        this.#read({ file_repo: MEDIA }, format, bytes, salt),
      ),
    ];
  }

  /** One case of each job. */
  brief() {
    const cases = this.cases();
    const chosen = BRIEF.flatMap((name) => cases.filter((each) => each.name === name));
    const missing = [...new Set(cases.map(({ operation }) => operation))].filter(
      (job) => !chosen.some(({ operation }) => operation === job),
    );
    if (missing.length > 0 || chosen.length < BRIEF.length)
      throw new Error(`One case of each job is to be brief, also of: ${missing.join(', ')}`);
    return chosen;
  }

  #each(job, variants, run) {
    return Object.keys(variants).flatMap((variant) =>
      SHAPES.map((shape, at) => ({
        name: `${job} · ${variant} · ${shape.name}`,
        operation: job,
        place: variant,
        shape: shape.name,
        run: (attempt) => run(variant, shape, attempt * SHAPES.length + at),
      })),
    );
  }

  #made(make, shape, salt) {
    const bytes = bytesOf(make(shape, this.size, salt));
    return bytes.length <= this.size * 3 ? bytes : bytesOf(make(shape, this.size / 2, salt));
  }

  async #taken(more, format, bytes, salt) {
    const file_id = await upload(this.#client, { name: `${salt}-${unique()}.${format}`, bytes }, more);
    return this.#until(`/files/${file_id}`, ({ file_processing }) => file_processing !== 'pending');
  }

  async #read(more, format, bytes, salt) {
    return (await this.#taken(more, format, bytes, salt)).file_processing;
  }

  async #importRecords(format, bytes, salt) {
    const { file_id } = await this.#taken({ file_repo: { ds: this.#base }, file_metadata: { purpose: 'import' } }, format, bytes, salt);
    return this.#started(
      `/knowledge-bases/${this.#base}/records/import`,
      { file_id, rec_status: 'draft' },
      `/knowledge-bases/${this.#base}/jobs`,
    );
  }

  async #importObjects(format, bytes, salt) {
    const { file_id } = await this.#taken({ file_repo: MEDIA }, format, bytes, salt);
    return this.#started('/objects/import', { file_id, obj_form: this.#schema }, '/jobs');
  }

  async #crawl(pages) {
    const site = await siteOf(pages);
    try {
      const order = { crw_url: `${site.origin}/`, crw_settings: { delay_ms: 0, max_pages: 20 } };
      const { job } = await this.#client.post(`/knowledge-bases/${this.#base}/crawls`, order);
      return (await this.#ended(`/knowledge-bases/${this.#base}/jobs/${job.job_id}`)).status;
    } finally {
      site.close();
    }
  }

  async #sync(isTable, pages) {
    const site = await siteOf(pages);
    try {
      const url = `${site.origin}/rows`;
      const { osr_id } = await this.#client.post('/object-sources', {
        osr_name: `Hostile ${unique()}`,
        osr_kind: isTable ? 'http_csv' : 'http_json',
        osr_form: this.#schema,
        osr_config: isTable ? { url, format: 'csv' } : { url, rows: '$.items' },
        osr_mapping: MAPPING,
      });
      return await this.#started(`/object-sources/${osr_id}/sync`, {}, `/object-sources/${osr_id}/runs`);
    } finally {
      site.close();
    }
  }

  /** A name of which not all is taken is shortened to what a file may be called. */
  async #named(what, shape, salt) {
    const begin = `${shape
      .text(LONGEST_NAME, salt)
      .replace(/[/\\\n\r]/g, '_')
      .toWellFormed()
      .slice(0, LONGEST_NAME - 30)}${unique()}`;
    const file = { name: `${begin}.md`, bytes: Buffer.from(`# ${salt}\n\nThe keeper of the harbour.`) };
    const file_id = await upload(this.#client, file, { file_repo: DOCS });
    await this.#until(`/files/${file_id}`, ({ file_processing }) => file_processing !== 'pending');
    if (what === 'file') return 'ready';
    return this.#started('/download-jobs', { file_ids: [file_id] }, '/download-jobs');
  }

  async #text(what, shape, salt) {
    const text = (length) => shape.text(length, salt).toWellFormed();
    if (what === 'object')
      return void (await this.#client.post('/objects', {
        obj_form: this.#schema,
        obj_name: `Row ${unique()}`,
        obj_content: { body: text(LONGEST_BODY) },
      }));
    if (what === 'record')
      return void (await this.#client.post(`/knowledge-bases/${this.#base}/records`, {
        rec_name: 'Row',
        rec_content: { body: text(LONGEST_BODY) },
      }));
    const { thread_id } = await this.#client.post('/threads', {});
    await this.#client.post(`/threads/${thread_id}/messages`, { msg_text: text(LONGEST_MESSAGE) });
  }

  async #started(path, body, where) {
    const job = await this.#client.post(path, body);
    return (await this.#ended(`${where}/${job.job_id}`)).status;
  }

  #ended(path) {
    return this.#until(path, ({ status }) => ENDED.includes(status));
  }

  async #until(path, isOver) {
    for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await pause(POLLED_MS)) {
      const answer = await this.#client.get(path);
      if (isOver(answer)) return answer;
    }
    throw new Error(`${path} is not over after ${PATIENCE_MS / 60_000} minutes.`);
  }
}

let last = 0;
const unique = () => `${Date.now().toString(36)}${(last++).toString(36)}`;

/** What is refused because much is going on is asked again; with `orLost` also what found no connection. */
export async function patient(ask, { orLost = false } = {}) {
  for (const began = Date.now(); ; await pause(1_000)) {
    try {
      return await ask();
    } catch (error) {
      const patience = BUSY.includes(error.status) ? PATIENCE_MS : orLost && error.message === 'fetch failed' ? LOST_MS : 0;
      if (Date.now() - began >= patience) throw error;
    }
  }
}
