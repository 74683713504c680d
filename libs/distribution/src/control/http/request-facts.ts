import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Clock } from '@atrium/platform/kernel';
import type { Request } from 'express';
import { Countries } from '../domain/countries';
import { requestingHost } from '../domain/host-set';
import { factsOf, type RequestFacts } from '../domain/rules';

type Trust = (address: string, hop: number) => boolean;

/**
 * The facts about the sender of a request. Address and country are accepted from trusted proxies only: the address is the
 * right-most one that is not a proxy.
 */
@Injectable()
export class RequestFactsReader {
  private readonly countryHeader: string;

  constructor(
    settings: Settings,
    private readonly countries: Countries,
    private readonly clock: Clock,
  ) {
    this.countryHeader = settings.EDGE_COUNTRY_HEADER.toLowerCase();
  }

  readFacts(request: Request): RequestFacts | Promise<RequestFacts> {
    const preparing = this.countries.loadData();
    return preparing ? preparing.then(() => this.facts(request)) : this.facts(request);
  }

  private facts(request: Request): RequestFacts {
    const { referer, origin, 'user-agent': agent } = request.headers;
    const facts = factsOf({ country: this.toldCountry(request), host: null, ip: request.ip, agent, at: this.clock.now() });
    const host = requestingHost({ referer, origin: typeof origin === 'string' ? origin : undefined });
    return { ...facts, host, country: facts.country ?? this.countries.findCountry(request.ip ?? '', facts.address) };
  }

  private toldCountry(request: Request): string | null {
    if (this.countryHeader === '') return null;
    const told = request.headers[this.countryHeader];
    const trust = request.app.get('trust proxy fn') as Trust;
    const peer = request.socket.remoteAddress;
    return typeof told === 'string' && peer !== undefined && trust(peer, 0) ? told : null;
  }
}
