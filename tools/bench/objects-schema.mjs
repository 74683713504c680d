// Changes of a schema over all its objects: how many rows follow a second, whether reads stay right during it (content by id, and
// filters, of which one that is not ready says so), and how long a write waits at most.
import { setTimeout as pause } from 'node:timers/promises';
import { HOST_FLAGS, hostProgram } from '../start/operator.mjs';
import { median } from './costs.mjs';
import { configOf, fieldsOf, KINDS } from './objects-world.mjs';
import { newObjects, pick } from './objects-writes.mjs';

const SAMPLES = 500;
const LONGEST_WAIT_MS = 1_000;
const BETWEEN_MS = 10;
const POLLED_MS = 200;
/** A run without progress for so long has failed. */
const PATIENCE_MS = 5 * 60_000;
const DEFAULT_GRADE = 3;

const replaced = (fields, key, field) => fields.map((one) => (one.key === key ? { ...one, ...field } : one));

/**
 * One change behind the other: what becomes of the fields, what objects say afterwards, by which key the new values are filtered,
 * and what of an object such a filter must find.
 */
const CHANGES = {
  'add a field': {
    fields: (fields) => [...fields, { key: 'grade', type: 'integer', label: 'Grade', filterable: true, default: DEFAULT_GRADE }],
    content: (content) => content,
    filter: () => ['obj_content[grade][empty]=true', ({ grade }) => grade === undefined],
  },
  rename: {
    fields: (fields) => replaced(fields, 'stock', { key: 'quantity', renamed_from: 'stock' }),
    content: ({ stock, ...content }) => ({ ...content, quantity: stock }),
    filter: ({ quantity }) => [`obj_content[quantity]=${quantity}`, (found) => found.quantity === quantity],
  },
  convert: {
    fields: (fields) => replaced(fields, 'price', { type: 'decimal', min: '0', decimals: undefined, scale: 2 }),
    content: ({ price, ...content }) => ({ ...content, price: String(price) }),
    filter: ({ price }) => [`obj_content[price]=${price}`, (found) => Number(found.price) === Number(price)],
  },
};

export async function measureSchemaChanges({ owner, launch }, world) {
  const worker = launch([...HOST_FLAGS, hostProgram('worker')]);
  const results = {};
  let samples = (
    await owner.query(
      `SELECT obj_id, obj_content AS content FROM object TABLESAMPLE SYSTEM (50) WHERE tenant_id = $1 AND obj_form = $2 AND row_version <= 2 LIMIT ${2 * SAMPLES}`,
      [world.ws_id, world.form_id],
    )
  ).rows;
  // One half is read, the other one written.
  const written = samples.splice(0, Math.floor(samples.length / 2)).map(({ obj_id }) => obj_id);
  const fresh = await newObjects(owner, world);
  let fields = fieldsOf(world.tax_id);
  let shape = (content) => content;
  for (const [name, change] of Object.entries(CHANGES)) {
    fields = change.fields(fields.map(({ renamed_from: _, ...field }) => field));
    const before = shape;
    shape = (content) => change.content(before(content));
    samples = samples.map(({ obj_id, content }) => ({ obj_id, content: change.content(content) }));
    results[name] = await measureChange(world, {
      fields,
      samples,
      written,
      filter: change.filter,
      wish: { made: fresh, before, after: shape },
    });
    console.log(lineOf(name, results[name]));
  }
  worker.kill('SIGTERM');
  return results;
}

async function measureChange(world, { fields, samples, written, filter, wish }) {
  const state = { changed: false, over: false };
  const reads = { count: 0, refused: 0, wrong: [] };
  const waits = [];
  const writing = writingOn(world, state, { written, wish, waits });
  await pause(500);
  const quiet = Math.max(...waits);
  const started = performance.now();
  await world.call('PATCH', `/object-schemas/${world.form_id}`, { form_config: configOf(fields) });
  const accepted_ms = performance.now() - started;
  state.changed = true;
  const reading = readingOn(world, state, { samples, filter, reads });
  const { total } = await untilFollowed(world);
  const seconds = (performance.now() - started) / 1_000;
  state.over = true;
  await Promise.all([writing, reading]);
  // Whatever is not ready no longer excuses itself.
  for (let n = 0; n < 20; n++) await readOnce(world, { samples, filter, reads, strict: true });
  return {
    rows: total,
    seconds: round(seconds),
    rows_a_second: Math.round(total / seconds),
    accepted_ms: Math.round(accepted_ms),
    reads: reads.count,
    not_ready: reads.refused,
    wrong: reads.wrong.length,
    example: reads.wrong[0],
    writes: waits.length,
    write_ms: round(median(waits)),
    longest_write_ms: Math.round(Math.max(...waits)),
    longest_before_ms: Math.round(quiet),
  };
}

/** Two callers, one that changes objects and one that makes some, until the change is through. */
async function writingOn(world, state, { written, wish, waits }) {
  const timed = async (work) => {
    const began = performance.now();
    await work();
    waits.push(performance.now() - began);
    await pause(BETWEEN_MS);
  };
  const changing = async () => {
    while (!state.over) await timed(() => world.call('PATCH', `/objects/${pick(written)}`, { obj_content: { kind: pick(KINDS) } }));
  };
  const making = async () => {
    while (!state.over) {
      const { obj_content, ...rest } = wish.made();
      await timed(() => madeBy(world, state, { ...rest, before: wish.before(obj_content), after: wish.after(obj_content) }));
    }
  };
  await Promise.all([changing(), making()]);
}

/** A body that is under way while the schema changes is refused by the new one, and is sent again as that wants it. */
async function madeBy(world, state, { before, after, ...rest }) {
  try {
    await world.call('POST', '/objects', { ...rest, obj_content: state.changed ? after : before });
  } catch (error) {
    if (!String(error).includes('answered 400')) throw error;
    await world.call('POST', '/objects', { ...rest, obj_content: after });
  }
}

async function readingOn(world, state, { samples, filter, reads }) {
  while (!state.over) {
    await readOnce(world, { samples, filter, reads, strict: false });
    await pause(BETWEEN_MS);
  }
}

/** One object by its id, a page by a field that has not changed, and one by the field that has. */
async function readOnce(world, { samples, filter, reads, strict }) {
  const { obj_id, content } = pick(samples);
  const { obj_content } = await world.call('GET', `/objects/${obj_id}`);
  judge(reads, same(obj_content, content), { read: obj_content, expected: content });
  const kind = pick(KINDS);
  await page(world, `obj_content[kind]=${kind}`, { reads, strict: true, holds: (found) => found.kind === kind });
  const [query, holds] = filter(content);
  await page(world, query, { reads, strict, holds });
}

async function page(world, query, { reads, strict, holds }) {
  const answer = await fetch(`${world.origin}/objects?obj_form=${world.form_id}&limit=20&${query}`, { headers: world.headers });
  const body = await answer.json();
  if (answer.status === 409 && body.code === 'invalid_state' && !strict) reads.refused += 1;
  else
    judge(reads, answer.status === 200 && body.data.length > 0 && body.data.every(({ obj_content }) => holds(obj_content)), {
      query,
      status: answer.status,
      body: body.detail ?? body.data?.length,
    });
}

function judge(reads, right, told) {
  reads.count += 1;
  if (!right) reads.wrong.push(told);
}

const same = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

async function untilFollowed(world) {
  let [done, moved] = [-1, Date.now()];
  for (;;) {
    const { form_migration } = await world.call('GET', `/object-schemas/${world.form_id}`);
    if (form_migration?.status === 'done') return form_migration;
    if (form_migration?.status === 'failed') throw new Error('The objects could not follow the change of their schema.');
    if (form_migration?.done !== done) [done, moved] = [form_migration?.done, Date.now()];
    if (Date.now() - moved > PATIENCE_MS)
      throw new Error(`No object has followed the change of its schema for ${PATIENCE_MS / 60_000} minutes.`);
    await pause(POLLED_MS);
  }
}

function lineOf(
  name,
  { rows, rows_a_second, accepted_ms, reads, not_ready, wrong, example, writes, write_ms, longest_write_ms, longest_before_ms },
) {
  return (
    `${name.padEnd(12)} ${rows.toLocaleString('en')} rows, ${rows_a_second.toLocaleString('en')} a second, accepted after ${accepted_ms} ms; ${reads} reads right but ${wrong}, ${not_ready} filters not ready yet; ` +
    `${writes} writes, ${write_ms} ms each, the longest ${longest_write_ms} ms (at most ${LONGEST_WAIT_MS}; before the change ${longest_before_ms})` +
    `${longest_write_ms > LONGEST_WAIT_MS ? '  BEYOND THE BOUND' : ''}${wrong > 0 ? `  WRONG: ${JSON.stringify(example)}` : ''}`
  );
}

const round = (value) => Math.round(value * 10) / 10;
