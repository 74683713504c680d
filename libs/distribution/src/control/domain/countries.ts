/** Port: in which country an address is, as far as the operator's data shows. */
export abstract class Countries {
  /** Null while nothing has to be waited for. */
  abstract loadData(): Promise<void> | null;
  /** ISO 3166-1 alpha-2, or null where nothing is known. */
  abstract findCountry(ip: string, address: Uint8Array | null): string | null;
}
