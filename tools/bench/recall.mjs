// What `npm run bench -- retrieval --recall N` measures: of the ten passages nearest to a question among N of a workspace (those of a
// hundred knowledge bases), how many a search by meaning finds; of the eight nearest in one base of a hundred, how many; and how long a
// search of a hundred bases takes, beside one base that holds the same passages and beside one of the hundred. What is nearest is found
// by comparing all vectors with a statement of the bench's own.
import { clientOf } from './document-uploads.mjs';
import { baseOf, cubes, MODEL, seedBases } from './recall-seed.mjs';
import { onBenchService } from './service.mjs';
import { TopicTexts } from './topic-texts.mjs';

const PORT = 3945;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const QUESTIONS = 40;
const SAMPLE = 50;
const [OF_WORKSPACE, OF_BASE] = [10, 8];
const FLOOR = 0.95;
const MODES = ['vector', 'hybrid'];
const UNLIMITED = 'read=100000000,write=100000000,search=100000000,workspace=100000000';

/** Compares the vector with each: of the workspace, or of one scope. */
const NEAREST = `
  SELECT v.ve_id FROM vector_entry v
  WHERE v.tenant_id = $1 AND v.ve_kind = 'passage' AND v.ve_model = '${MODEL}'
    AND ($4::text IS NULL OR v.ve_id IN (SELECT p.passage_id FROM passage p JOIN passage_scope s ON s.tenant_id = p.tenant_id AND s.source_kind = p.source_kind AND s.source_id = p.source_id
                                         WHERE s.tenant_id = $1 AND s.scope_key = $4))
  ORDER BY (SELECT sum((p.a <-> p.b) ^ 2) FROM unnest(v.ve_chunks, $2::cube[]) AS p (a, b)), v.ve_id LIMIT $3`;

export function measureRecall(count) {
  return onBenchService({ port: PORT, settings: { RATE_LIMITS: UNLIMITED } }, async ({ owner, startApi, workspace }) => {
    const made = (name) => workspace(name, ['--module', 'module-documents']);
    const [many, one] = [await made('Hundred bases'), await made('One base')];
    const texts = new TopicTexts(count);
    const started = performance.now();
    await seedBases(owner, { many, one, texts, count });
    const likeness = await texts.likeness(Array.from({ length: SAMPLE }, (_, n) => texts.text(n * 97)));
    console.log(
      `seeded ${count.toLocaleString('en')} passages twice in ${Math.round((performance.now() - started) / 1000)} s: ${texts.about}; vectors are sums of the built-in embedder's vectors of the words (cosine to its vectors of the texts ${likeness.toFixed(3)})`,
    );
    await startApi();
    const bench = {
      owner,
      texts,
      many,
      one,
      ours: clientOf(ORIGIN, many),
      theirs: clientOf(ORIGIN, one),
      asked: questionsOf(texts, count),
    };
    const results = { recall: await recallOfWorkspace(bench), of_base: await recallOfBase(bench), times: await times(bench) };
    console.log(JSON.stringify(results));
  });
}

/** Questions about texts that are far from each other. */
const questionsOf = (texts, count) =>
  Array.from({ length: QUESTIONS }, (_, at) => {
    const n = Math.floor(((at + 0.5) * count) / QUESTIONS);
    return { n, text: texts.question(n) };
  });

const scopesOf = ({ bases }) => bases.map((id) => `ds:${id}`);

async function recallOfWorkspace({ owner, texts, many, ours, asked }) {
  const shares = [];
  const spent = [];
  let engine;
  for (const { text } of asked) {
    const body = { query: text, mode: 'vector', limit: OF_WORKSPACE, similarity_threshold: 0, scopes: scopesOf(many) };
    const answer = await ours.post('/retrieval/search', body);
    engine = answer.engine;
    const began = performance.now();
    const nearest = await nearestOf({ owner, texts, many }, text, OF_WORKSPACE);
    spent.push(performance.now() - began);
    shares.push(shareOf(nearest, answer));
  }
  const exact_ms = rounded(median(spent));
  const result = { engine, recall: rounded(mean(shares)), least: Math.min(...shares), exact_ms };
  console.log(
    `recall@${OF_WORKSPACE} of the vector channel (${engine}) ${result.recall.toFixed(3)}${below(result.recall)}, ${result.least.toFixed(1)} where it is least; comparing all takes ${exact_ms.toFixed(0)} ms`,
  );
  return result;
}

/** Half of the questions are about texts of the base, the others about those of another one: nearly all that is near is elsewhere. */
async function recallOfBase({ owner, texts, many, ours, asked }) {
  const shares = [];
  let full = 0;
  for (const [at, { n, text }] of asked.entries()) {
    const scope = `ds:${at % 2 === 0 ? baseOf(many, texts, n) : many.bases[(many.bases.indexOf(baseOf(many, texts, n)) + 50) % many.bases.length]}`;
    const answer = await ours.post('/retrieval/search', {
      query: text,
      mode: 'vector',
      limit: OF_BASE,
      similarity_threshold: 0,
      scopes: [scope],
    });
    if (answer.data.length === OF_BASE) full++;
    shares.push(shareOf(await nearestOf({ owner, texts, many }, text, OF_BASE, scope), answer));
  }
  const result = { recall: rounded(mean(shares)), full: full / asked.length };
  console.log(
    `recall@${OF_BASE} in one base of a hundred ${result.recall.toFixed(3)}${below(result.recall)}; ${full} of ${asked.length} answers have all ${OF_BASE}${full < asked.length ? '  NOT ALL' : ''}`,
  );
  return result;
}

async function nearestOf({ owner, texts, many }, text, most, scope = null) {
  const [vector] = await texts.embedder.embed([text]);
  const { rows } = await owner.query(NEAREST, [many.ws_id, cubes(texts.piecesOf(vector)), most, scope]);
  return rows.map(({ ve_id }) => ve_id);
}

function shareOf(nearest, { data }) {
  const found = new Set(data.map(({ passage_id }) => passage_id));
  return nearest.filter((id) => found.has(id)).length / nearest.length;
}

/** Median milliseconds of a search of a hundred bases, of one with the same passages, and of one of the hundred, taking turns. */
async function times({ texts, many, one, ours, theirs, asked }) {
  const results = {};
  for (const mode of MODES) {
    const sides = [
      ({ text }) => ours.post('/retrieval/search', { query: text, mode, scopes: scopesOf(many) }),
      ({ text }) => theirs.post('/retrieval/search', { query: text, mode, scopes: scopesOf(one) }),
      ({ n, text }) => ours.post('/retrieval/search', { query: text, mode, scopes: [`ds:${baseOf(many, texts, n)}`] }),
    ];
    const [hundred, whole, part] = await medians(sides, asked);
    results[mode] = { ms: rounded(hundred), of_one_base: rounded(hundred / whole), of_one_of_them: rounded(hundred / part) };
    console.log(
      `${mode.padEnd(8)} a hundred bases ${hundred.toFixed(1)} ms, ${(hundred / whole).toFixed(2)}x of one base that holds the same, ${(hundred / part).toFixed(2)}x of one of the hundred`,
    );
  }
  return results;
}

async function medians(sides, asked) {
  const spent = sides.map(() => []);
  for (const question of asked.slice(0, 5)) for (const side of sides) await side(question);
  for (const question of asked) {
    for (const [at, side] of sides.entries()) {
      const began = performance.now();
      await side(question);
      spent[at].push(performance.now() - began);
    }
  }
  return spent.map(median);
}

const below = (recall) => (recall < FLOOR ? ` (BELOW ${FLOOR})` : '');
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (value) => Math.round(value * 1_000) / 1_000;
