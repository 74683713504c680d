import { Injectable } from '@nestjs/common';
import { CountrySource } from '../infrastructure/country-source';

/** What is known of clients by their addresses. */
@Injectable()
export class PublicClients {
  constructor(private readonly countries: CountrySource) {}

  /** Null when the countries are at hand already. */
  prepare(): Promise<void> | null {
    return this.countries.prepare();
  }

  /** ISO 3166-1 alpha-2, or null where nobody knows. */
  countryOf(ip: string, address: Uint8Array | null): string | null {
    return this.countries.of(ip, address);
  }
}
