import type { Client } from '@atrium/platform/testing';
import { makeSite, Pages } from './pages';

/** Pages of a site in English and German with the library Standard; `article` and `plain` are its page templates. */
export async function standardPages(client: Client): Promise<Pages> {
  const { data: libraries } = (await client.get('/content-schema-libraries?limit=100').expect(200)).body as {
    data: { lib_id: string; lib_name: string }[];
  };
  const lib_id = libraries.find(({ lib_name }) => lib_name === 'Standard')?.lib_id ?? '';
  const { data: schemas } = (await client.get(`/content-schemas?tpl_library=${lib_id}&limit=100`).expect(200)).body as {
    data: { tpl_id: string; tpl_key: string }[];
  };
  const idOf = (key: string): string => schemas.find(({ tpl_key }) => tpl_key === key)?.tpl_id ?? '';
  const library = { lib_id, article: idOf('article'), plain: idOf('page') };
  return new Pages(client, await makeSite(client, library), library);
}
