import type { FieldType } from '@atrium/forms';
import { blocksType } from './block-lists';
import { docType } from './docs';
import { foreignType } from './foreign';
import { assetsType, assetType, linkType } from './links-and-assets';
import { pagesType, pageType } from './pages';
import { tableType } from './tables';

/** The field types that content schemas have besides those of the form language: `forms.registerType('content', type)` for each. */
export const CONTENT_FIELD_TYPES: readonly FieldType[] = [
  blocksType,
  docType,
  linkType,
  assetType,
  assetsType,
  pageType,
  pagesType,
  tableType,
  foreignType,
];
