// Texts as knowledge bases hold them, and their vectors: each is about one of many topics, shares words with the texts of its document,
// and has the frequent words of the language besides. So vectors are in clusters of clusters, as those of real texts do, and not in no
// direction in particular.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../project.mjs';

const VOCABULARY = 30_000;
const FREQUENT = 2_000;
const A_TOPIC = { words: 80, texts: 400 };
const A_DOCUMENT = { words: 12, texts: 20 };
/** Shares of frequent words and of words of the topic; the others are of the document. */
const [COMMON, TOPICAL] = [0.45, 0.35];
const WORDS = { from: 60, more: 50 };
const ONSETS = 'b,br,c,d,dr,f,g,gr,h,k,l,m,n,p,pr,r,s,st,t,tr,v,w'.split(',');
const RHYMES = 'a,ar,e,el,en,er,i,in,o,on,or,u,um'.split(',');

/** What texts are made of; the same in every run. */
export class TopicTexts {
  #words = Array.from({ length: VOCABULARY }, (_, n) => wordOf(n));
  #topics;
  #vectors = new Map();

  constructor(count) {
    this.#topics = Math.max(100, Math.ceil(count / A_TOPIC.texts));
    const load = createRequire(import.meta.url);
    const embeddings = join(projectRoot, 'dist/libs/retrieval/src/embeddings');
    this.embedder = new (load(join(embeddings, 'infrastructure/hash-embedding.js')).HashEmbedding)();
    const { piecesOf, signatureOf, unit } = load(join(embeddings, 'domain/unit-vector.js'));
    Object.assign(this, { piecesOf, signatureOf, unit });
  }

  get about() {
    return `${this.#topics} topics of ${A_TOPIC.words} words, documents of ${A_DOCUMENT.texts} texts with ${A_DOCUMENT.words} words more, ${WORDS.from} to ${WORDS.from + WORDS.more} words a text`;
  }

  /** Which topic a text is about: documents of a topic are not beside each other. */
  topicOf(n) {
    return Math.floor(n / A_DOCUMENT.texts) % this.#topics;
  }

  text(n) {
    const next = random(n);
    const length = WORDS.from + Math.floor(next() * WORDS.more);
    return Array.from({ length }, () => this.#word(n, next)).join(' ');
  }

  /** What somebody asks who looks for the text: some words of its document and its topic, and a frequent one. */
  question(n) {
    const next = random(n * 31 + 7);
    const words = [
      this.#ofDocument(n, next),
      this.#ofDocument(n, next),
      this.#ofTopic(n, next),
      this.#ofTopic(n, next),
      this.#ofTopic(n, next),
    ];
    return [...words, this.#frequent(next)].join(' ');
  }

  /** The vector of a text: the built-in embedder's vectors of its words, the frequent ones as often as they say something. */
  async vectors(texts) {
    const counted = texts.map(countsOf);
    await this.#learn(new Set(counted.flatMap((counts) => [...counts.keys()])));
    return counted.map((counts) => {
      const sum = new Float64Array(this.#vectors.values().next().value.length);
      for (const [word, count] of counts) {
        const [vector, weight] = [this.#vectors.get(word), 1 + Math.log(count)];
        for (let at = 0; at < sum.length; at++) sum[at] += weight * vector[at];
      }
      return this.unit(sum);
    });
  }

  /** Of some texts the mean cosine of such a vector and the one that the embedder makes of the whole text. */
  async likeness(texts) {
    const [made, embedded] = [await this.vectors(texts), await this.embedder.embedTexts(texts)];
    return made.reduce((sum, vector, n) => sum + vector.reduce((dot, value, at) => dot + value * embedded[n][at], 0), 0) / texts.length;
  }

  async #learn(words) {
    const fresh = [...words].filter((word) => !this.#vectors.has(word));
    const vectors = await this.embedder.embedTexts(fresh);
    for (const [at, word] of fresh.entries()) this.#vectors.set(word, Float64Array.from(vectors[at]));
  }

  #word(n, next) {
    const share = next();
    if (share < COMMON) return this.#frequent(next);
    return share < COMMON + TOPICAL ? this.#ofTopic(n, next) : this.#ofDocument(n, next);
  }

  /** The word of a rank occurs half as often as the one of half the rank. */
  #frequent(next) {
    return this.#words[Math.floor(FREQUENT ** next()) - 1];
  }

  #ofTopic(n, next) {
    return this.#rare(this.topicOf(n) * A_TOPIC.words + Math.floor(A_TOPIC.words ** next()) - 1, 1);
  }

  #ofDocument(n, next) {
    return this.#rare(Math.floor(n / A_DOCUMENT.texts) * A_DOCUMENT.words + Math.floor(next() * A_DOCUMENT.words), 2);
  }

  #rare(place, seed) {
    return this.#words[FREQUENT + Math.floor(random(place * 2 + seed)() * (VOCABULARY - FREQUENT))];
  }
}

function countsOf(text) {
  const counts = new Map();
  for (const word of text.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A word that can be spoken; others share its syllables. */
function wordOf(n) {
  const next = random(n + 1);
  const syllables = n < 300 ? 1 : n < FREQUENT ? 2 : 3;
  const pick = (list) => list[Math.floor(next() * list.length)];
  return Array.from({ length: syllables }, () => pick(ONSETS) + pick(RHYMES)).join('');
}

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
