import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { CmsCall, PageChange, PageCreation, PageStateChange, RemotePage } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { pageTypesOf } from '../../domain/contentful/contentful-settings';
import { sameJson } from '../../domain/form-config';
import type { CmsAnswer } from '../cms-http';
import { ROW, statesOf, type Row } from './contentful-answers';
import { ContentfulApi } from './contentful-api';
import { ContentfulReader } from './contentful-reader';

interface EntryDraft {
  readonly id: string;
  readonly contentType: string;
  readonly fields: JsonObject;
  /** The version that the write replaces; undefined for an entry that is created. */
  readonly version: number | undefined;
}

const objectIn = (value: JsonObject, key: string): JsonObject => {
  const inner: JsonValue | undefined = value[key];
  return isObject(inner) ? inner : {};
};
const versionIn = (entry: JsonObject): number => Number(objectIn(entry, 'sys')['version']);
const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Entries of a page, written children first; each write names the version that it replaces. */
@Injectable()
export class ContentfulWriter {
  constructor(
    private readonly api: ContentfulApi,
    private readonly reader: ContentfulReader,
  ) {}

  /** The id derives from the page here, so that a creation that is repeated finds what it created. */
  async createEntries(call: CmsCall, { node_id, draft }: PageCreation): Promise<RemotePage> {
    const entry = objectIn(draft.raw, 'entry');
    const id = entryIdOf(node_id);
    const blocks = blocksIn(draft.raw).map(draftOf);
    const own = [id, ...blocks.map((block) => block.id)];
    for (const block of blocks) await this.createBlock(call, block, own);
    const fields = await this.withPath(call, draft.raw, entry);
    const row = await this.putEntry(call, { ...draftOf(entry), id, fields, version: undefined });
    return this.reader.toPage(call, row);
  }

  async findCreated(call: CmsCall, node_id: string): Promise<RemotePage | null> {
    try {
      return await this.reader.readEntry(call, entryIdOf(node_id));
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  async changeEntries(call: CmsCall, { seen, draft, force }: PageChange): Promise<RemotePage> {
    const [entry, before] = [objectIn(draft.raw, 'entry'), objectIn(seen.raw, 'blocks')];
    const blocks = blocksIn(draft.raw);
    if (!force) for (const block of blocks) if (block['isNew'] !== true) await this.assertOwn(call, textOf(block['id']));
    for (const block of blocks) {
      const known = before[textOf(block['id'])];
      await this.putEntry(call, { ...draftOf(block), version: isObject(known) ? versionIn(known) : undefined });
    }
    if (entry['isSame'] !== true) {
      const fields = await this.withPath(call, draft.raw, entry);
      await this.putEntry(call, { ...draftOf(entry), id: seen.external_id, fields, version: versionIn(objectIn(seen.raw, 'entry')) });
    }
    return this.reader.readEntry(call, seen.external_id);
  }

  /** Blocks that are not live as they are go first: a page whose blocks are drafts would show holes. */
  async publishEntries(call: CmsCall, { page, locales }: PageStateChange): Promise<RemotePage> {
    const blocks = Object.values(objectIn(page.raw, 'blocks')).filter(isObject);
    const body = locales === null ? undefined : { add: { fields: { '*': locales } } };
    for (const block of blocks.toReversed()) {
      const row = this.api.check(ROW, block);
      const isLive = Object.values(statesOf(row.sys)).every((state) => state === 'published');
      if (!isLive) await this.publishRow(call, row, body);
    }
    await this.publishRow(call, this.api.check(ROW, objectIn(page.raw, 'entry')), body);
    return this.reader.readEntry(call, page.external_id);
  }

  async unpublishEntry(call: CmsCall, { page, locales }: PageStateChange): Promise<RemotePage> {
    const row = this.api.check(ROW, objectIn(page.raw, 'entry'));
    const path = `/entries/${encodeURIComponent(page.external_id)}/published`;
    const { version, publishedVersion } = row.sys;
    const findOutcome = async (): Promise<CmsAnswer | null> => this.outcomeOf(call, page.external_id, (now) => now.sys.version > version);
    if (locales !== null)
      await this.api.request(call, ROW, path, { method: 'PUT', version, body: { remove: { fields: { '*': locales } } }, findOutcome });
    else if (publishedVersion !== undefined && publishedVersion !== null)
      await this.api.sendRequest(call, path, { method: 'DELETE', version, findOutcome });
    return this.reader.readEntry(call, page.external_id);
  }

  async removeEntry(call: CmsCall, external_id: string): Promise<void> {
    const path = `/entries/${encodeURIComponent(external_id)}`;
    try {
      const row = await this.api.request(call, ROW, path);
      const { publishedVersion } = row.sys;
      if (publishedVersion !== undefined && publishedVersion !== null)
        await this.api.sendRequest(call, `${path}/published`, { method: 'DELETE' });
      await this.api.sendRequest(call, path, { method: 'DELETE' });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'not_found') throw error;
    }
  }

  /** A block of a page that was never finished is written over: no other page shows it. */
  private async createBlock(call: CmsCall, block: Omit<EntryDraft, 'version'>, own: readonly string[]): Promise<void> {
    try {
      await this.putEntry(call, { ...block, version: undefined });
    } catch (error) {
      if (!(error instanceof CmsProblem) || error.reason !== 'conflict_version') throw error;
      const { ids, total } = await this.reader.findParents(call, block.id);
      if (total > ids.length || !ids.every((id) => own.includes(id))) throw error;
      const { sys } = await this.api.request(call, ROW, `/entries/${encodeURIComponent(block.id)}`);
      await this.putEntry(call, { ...block, version: sys.version });
    }
  }

  private async putEntry(call: CmsCall, { id, contentType, fields, version }: EntryDraft): Promise<Row> {
    const isWritten = (now: Row): boolean => sameJson(now.fields, fields);
    try {
      return await this.api.request(call, ROW, `/entries/${encodeURIComponent(id)}`, {
        method: 'PUT',
        version,
        contentType,
        body: { fields },
        findOutcome: () => this.outcomeOf(call, id, isWritten),
      });
    } catch (error) {
      // It may be there from a run that ended before it was recorded.
      const isTaken = version === undefined && error instanceof CmsProblem && error.reason === 'conflict_version';
      const now = isTaken ? await this.outcomeOf(call, id, isWritten) : null;
      if (now === null) throw error;
      return this.api.check(ROW, now.body);
    }
  }

  private async outcomeOf(call: CmsCall, id: string, isDone: (now: Row) => boolean): Promise<CmsAnswer | null> {
    try {
      const answer = await this.api.sendRequest(call, `/entries/${encodeURIComponent(id)}`);
      return isDone(this.api.check(ROW, answer.body)) ? answer : null;
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  private async publishRow(call: CmsCall, { sys }: Row, body: JsonObject | undefined): Promise<void> {
    await this.api.request(call, ROW, `/entries/${encodeURIComponent(sys.id)}/published`, {
      method: 'PUT',
      version: sys.version,
      body,
      findOutcome: () => this.outcomeOf(call, sys.id, (now) => now.sys.publishedVersion === sys.version),
    });
  }

  private async assertOwn(call: CmsCall, id: string): Promise<void> {
    if ((await this.reader.findParents(call, id)).total > 1)
      throw new CmsProblem('shared_block', `The entry ${id} is used by several pages. It is changed with force only.`, { field: id });
  }

  /** Where slugs are paths, those of the page above come before them. */
  private async withPath(call: CmsCall, raw: JsonObject, entry: JsonObject): Promise<JsonObject> {
    const fields = objectIn(entry, 'fields');
    const path = objectIn(raw, 'path');
    const [name, parent] = [textOf(path['field']), textOf(path['parent'])];
    if (name === '') return fields;
    const type = pageTypesOf(call.connection.settings).find(({ id }) => id === entry['contentType']);
    const above = type && parent !== '' ? await this.reader.slugPathsOf(call, parent, type) : {};
    const fallback = textOf(Object.values(above)[0]);
    const slugs = Object.entries(objectIn(path, 'slugs')).map(([code, slug]): [string, JsonValue] => {
      const before = (textOf(above[code]) || fallback).replace(/^\/|\/$/g, '');
      return [code, before === '' ? slug : `${before}/${textOf(slug)}`];
    });
    return { ...fields, [name]: { ...objectIn(fields, name), ...Object.fromEntries(slugs) } };
  }
}

const entryIdOf = (node_id: string): string => `atrium-${node_id}`;

const blocksIn = (raw: JsonObject): readonly JsonObject[] =>
  Array.isArray(raw['blocks']) ? (raw['blocks'] as readonly JsonValue[]).filter(isObject) : [];

const draftOf = (entry: JsonObject): Omit<EntryDraft, 'version'> => ({
  id: textOf(entry['id']),
  contentType: textOf(entry['contentType']),
  fields: objectIn(entry, 'fields'),
});
