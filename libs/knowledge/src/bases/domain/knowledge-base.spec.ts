import { Clock, DAY, type JsonObject } from '@atrium/platform/kernel';
import { checkedConfig, configOf } from './base-config';
import { KnowledgeBase, MOST_RECORDS } from './knowledge-base';

const FORM = '0190a0a0-0000-7000-8000-000000000001';

class At extends Clock {
  constructor(private readonly time: Date) {
    super();
  }

  now(): Date {
    return this.time;
  }
}

const baseOf = (facts: object = {}): KnowledgeBase =>
  Object.assign(new KnowledgeBase(), {
    ds_type: 'text',
    ds_config: {},
    form_id: null,
    ds_active: true,
    ds_deleted: null,
    ds_record_count: 0,
    ...facts,
  });

const pathsOf = (config: JsonObject): string[] => {
  try {
    checkedConfig(config);
    return [];
  } catch (error) {
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path);
  }
};

describe('the settings of a base', () => {
  it('are read with what is usual where they say nothing', () => {
    expect(configOf({})).toEqual({ form_id: null, retrieval: {}, chunking: { target_tokens: 400, overlap_tokens: 60 }, language: null });
    expect(configOf({ chunking: { target_tokens: 200 } }).chunking).toEqual({ target_tokens: 200, overlap_tokens: 60 });
  });

  it('name every fault by its path', () => {
    expect(pathsOf({ retrieval: { mode: 'guess', top_k: 0 }, chunking: { split_by: 'page' }, weights: {} })).toEqual([
      'ds_config.retrieval.mode',
      'ds_config.retrieval.top_k',
      'ds_config.chunking.split_by',
      'ds_config.weights',
    ]);
    expect(pathsOf({ constructor: 1 })).toEqual(['ds_config.constructor']);
    expect(pathsOf({ chunking: { target_tokens: 110 } })).toEqual(['ds_config.chunking.overlap_tokens']);
    expect(pathsOf({ chunking: { target_tokens: 120 }, retrieval: { top_k: 50, similarity_threshold: 1, neighbors: 0 } })).toEqual([]);
  });
});

describe('a base', () => {
  it('takes another schema while it is empty, and no other once it has records', () => {
    const base = baseOf();
    base.describe('form', { form_id: FORM });
    expect(base).toMatchObject({ ds_type: 'form', form_id: FORM });
    const full = baseOf({ ds_type: 'form', form_id: FORM, ds_config: { form_id: FORM }, ds_record_count: 1 });
    expect(() => full.describe('text', {})).toThrow('with records cannot be changed');
    expect(() => full.describe('form', { form_id: '0190a0a0-0000-7000-8000-000000000002' })).toThrow('with records cannot be changed');
    full.describe('form', { form_id: FORM, retrieval: { top_k: 1 } });
    expect(full.config.retrieval).toEqual({ top_k: 1 });
  });

  it('comes back for 30 days', () => {
    const deleted = new Date('2026-01-01T00:00:00Z');
    const base = baseOf();
    base.delete(new At(deleted));
    expect(base).toMatchObject({ ds_active: false, ds_deleted: deleted });
    expect(() => base.restore(new At(new Date(deleted.getTime() + 30 * DAY + 1)))).toThrow('more than 30 days');
    base.restore(new At(new Date(deleted.getTime() + 30 * DAY)));
    expect(base).toMatchObject({ ds_active: true, ds_deleted: null });
    expect(() => base.restore(new At(deleted))).toThrow('The knowledge base is not deleted.');
  });

  it('has room for a million records', () => {
    const base = baseOf({ ds_record_count: MOST_RECORDS - 2 });
    base.assertRoom(2);
    expect(() => base.assertRoom(3)).toThrow('at most 1,000,000 records');
  });
});
