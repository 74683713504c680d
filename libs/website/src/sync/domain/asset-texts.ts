import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { changeValue, type ReferenceChange } from '../../content/domain/references';

/** A value of a document: its type, the name of its unit, and what changes the blocks of its texts. */
export interface UnitValue {
  readonly type: string;
  readonly unit: string;
  readonly below: (block: JsonValue) => JsonValue;
}

export type ChangeUnit = (value: JsonValue, at: UnitValue) => JsonValue;

const TEXTS = ['alt', 'title', 'focus'] as const;

/** A value without what describes its files. */
export const withoutAssetTexts: ChangeUnit = (value, at) =>
  changeAssets(value, at, (asset) => Object.fromEntries(Object.entries(asset).filter(([key]) => !isText(key))));

/** What describes the files of one page: collected from one version of it, and put into another. */
export class AssetTexts {
  private readonly texts = new Map<string, JsonObject>();

  readonly collect: ChangeUnit = (value, at) =>
    changeAssets(value, at, (asset) => {
      const own = Object.entries(asset).filter(([key, text]) => isText(key) && text !== null && text !== '');
      if (own.length > 0) this.texts.set(placeOf(asset, at), Object.fromEntries(own));
      return asset;
    });

  readonly restore: ChangeUnit = (value, at) => changeAssets(value, at, (asset) => ({ ...asset, ...this.texts.get(placeOf(asset, at)) }));
}

const isText = (key: string): boolean => TEXTS.some((text) => text === key);

const placeOf = ({ file, url }: JsonObject, { unit }: UnitValue): string => JSON.stringify([unit, file ?? url ?? null]);

function changeAssets(value: JsonValue, { type, below }: UnitValue, asset: ReferenceChange['asset']): JsonValue {
  return changeValue(value, type, { link: (link) => link, asset, id: (_kind, id) => id }, below);
}
