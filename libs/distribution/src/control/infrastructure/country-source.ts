import { readFile } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import type { CountryResponse, Reader } from 'maxmind';
import { ipv4Of, NetworkTrie, networkValue } from '../domain/address-set';
import type { Countries } from '../domain/countries';
import { territoryOf } from '../domain/territories';

/**
 * The countries of addresses: of a MaxMind database, else of a list of networks, else nobody knows. Both are read with the
 * first question, and what is wrong with them keeps nobody from being served.
 */
@Injectable()
export class CountrySource implements Countries {
  private readonly log = new Logger(CountrySource.name);
  private reader: Reader<CountryResponse> | null = null;
  private list: NetworkTrie<string> | null = null;
  private loading: Promise<void> | null = null;
  private loaded = false;

  constructor(private readonly settings: Settings) {}

  loadData(): Promise<void> | null {
    if (this.loaded) return null;
    this.loading ??= this.load().finally(() => (this.loaded = true));
    return this.loading;
  }

  findCountry(ip: string, address: Uint8Array | null): string | null {
    if (!address) return null;
    const known = this.known(ip, address);
    return territoryOf(known?.country?.iso_code ?? known?.registered_country?.iso_code) ?? territoryOf(this.list?.find(address));
  }

  /** A database of IPv4 networks alone would take the first bits of any other address for one of them. */
  private known(ip: string, address: Uint8Array): CountryResponse | null {
    if (!this.reader) return null;
    const ipv4 = ipv4Of(address);
    return ipv4 === null && this.reader.metadata.ipVersion === 4 ? null : this.reader.get(ipv4 ?? ip);
  }

  private async load(): Promise<void> {
    const { GEOIP_DB, GEOIP_CSV } = this.settings;
    if (GEOIP_DB !== '')
      await this.attempt(GEOIP_DB, async () => (this.reader = await (await import('maxmind')).open<CountryResponse>(GEOIP_DB)));
    if (GEOIP_CSV !== '') await this.attempt(GEOIP_CSV, async () => (this.list = networksOf(await readFile(GEOIP_CSV, 'utf8'))));
  }

  private async attempt(file: string, work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) =>
      this.log.error({ msg: 'the country database cannot be read; the countries of addresses are unknown', file, err: error }),
    );
  }
}

/** Lines `network,country`; headings and what is neither are passed over. */
function networksOf(text: string): NetworkTrie<string> {
  const networks = new NetworkTrie<string>();
  for (const line of text.split(/\r?\n/)) {
    const [first = '', second = ''] = line.split(',').map((cell) => cell.trim().replace(/^"|"$/g, ''));
    const [network, country] = [networkValue(first), territoryOf(second)];
    if (network && country) networks.add(network, country);
  }
  return networks;
}
