import { faultsOfBody } from '@atrium/platform/testing';
import { ChangeContentLibrary, CopyContentLibrary } from './content-libraries.dto';
import { ChangeContentSchema, CreateContentSchema } from './content-schemas.dto';

const SCHEMA = { tpl_library: '0190163d-8694-739b-aea5-966c26f8ad91', tpl_key: 'hero', tpl_name: 'Hero', tpl_kind: 'block' };

describe('a new content schema', () => {
  it.each<[string, object, string, string]>([
    ['a key that begins with a digit', { tpl_key: '1hero' }, 'tpl_key', 'pattern'],
    ['a key beyond its bounds', { tpl_key: 'a'.repeat(61) }, 'tpl_key', 'too_long'],
    ['another kind', { tpl_kind: 'layout' }, 'tpl_kind', 'choice'],
    ['a list as its configuration', { tpl_config: [] }, 'tpl_config', 'object'],
    ['a color by name', { tpl_color: 'red' }, 'tpl_color', 'pattern'],
    ['a component of a CMS', { tpl_external: {} }, 'tpl_external', 'unknown_field'],
    ['a manager', { tpl_managed_by: SCHEMA.tpl_library }, 'tpl_managed_by', 'unknown_field'],
    ['moves', { tpl_moves: [] }, 'tpl_moves', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(CreateContentSchema, { ...SCHEMA, ...more })).toMatchObject([{ path, code }]);
  });

  it.each(['tpl_library', 'tpl_key', 'tpl_name', 'tpl_kind'])('is refused without %s', async (path) => {
    expect(await faultsOfBody(CreateContentSchema, { ...SCHEMA, [path]: undefined })).toMatchObject([{ path, code: 'required' }]);
  });
});

describe('a changed content schema', () => {
  it.each(['tpl_key', 'tpl_library', 'tpl_revision'])('keeps its %s', async (path) => {
    expect(await faultsOfBody(ChangeContentSchema, { [path]: 'other' })).toMatchObject([{ path, code: 'unknown_field' }]);
  });
});

describe('a library', () => {
  it.each(['lib_provider', 'lib_site', 'lib_standard'])('keeps its %s', async (path) => {
    expect(await faultsOfBody(ChangeContentLibrary, { [path]: 'other' })).toMatchObject([{ path, code: 'unknown_field' }]);
  });

  it('is copied under a name', async () => {
    expect(await faultsOfBody(CopyContentLibrary, {})).toMatchObject([{ path: 'lib_name', code: 'required' }]);
  });
});
