import { readSourcePage, type ReadSourcePage, type SourcePageBytes } from './read-source-page';

export const perform = (page: SourcePageBytes): Promise<ReadSourcePage> => Promise.resolve(readSourcePage(page));
