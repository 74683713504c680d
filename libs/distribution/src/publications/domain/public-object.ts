import { randomInt } from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const KEY_LENGTH = 16;
const KEY = /^[1-9A-HJ-NP-Za-km-z]{16}$/;

/** A key nobody can guess (93 bits): the only credential of a public address. */
export const newPublicKey = (): string => Array.from({ length: KEY_LENGTH }, () => BASE58[randomInt(BASE58.length)]).join('');

export const isPublicKey = (text: string): boolean => KEY.test(text);

/** Everything of a workspace in the public store. */
export const publicFolder = (tenant_id: string): string => `pub/${tenant_id}/`;

/** Every copy that was made under one public key; object keys know no capitals, so the key is written in hex. */
export const copiesOf = (tenant_id: string, pub_key: string): string =>
  `${publicFolder(tenant_id)}${Buffer.from(pub_key, 'latin1').toString('hex')}/`;

/** Where one run puts the copy of the bytes with this hash: a place of its own, so that no run can touch what another one made. */
export const copyKey = (tenant_id: string, pub_key: string, { hash, run }: { readonly hash: string; readonly run: string }): string =>
  `${copiesOf(tenant_id, pub_key)}${hash}-${run}`;
