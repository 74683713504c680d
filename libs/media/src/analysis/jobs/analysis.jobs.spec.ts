import { fileEvents } from './analysis.jobs';

describe('news of a file', () => {
  it.each<[string, object, boolean]>([
    ['file.ready', { fields: ['file_metadata'] }, true],
    ['file.tagged', {}, true],
    ['file.updated', {}, true],
    ['file.updated', { fields: ['file_metadata', 'file_summary'] }, true],
    ['file.updated', { fields: ['file_name'] }, true],
    ['file.updated', { fields: ['file_metadata', 'file_replicas'] }, false],
    ['album.updated', {}, false],
  ])('%s of %j is handled: %s', (event, payload, heeded) => {
    expect(fileEvents.wants(event, { ...payload })).toBe(heeded);
  });
});
