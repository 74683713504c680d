import { Injectable } from '@nestjs/common';
import { CmsPorts } from '../domain/cms-ports';
import type { CmsPort, CmsProvider } from '../domain/cms-port';
import { ContentfulPort } from './contentful/contentful-port';
import { StoryblokPort } from './storyblok/storyblok-port';

/** The adapters of this service. */
@Injectable()
export class CmsAdapters extends CmsPorts {
  private readonly ports: Readonly<Record<CmsProvider, CmsPort>>;

  constructor(storyblok: StoryblokPort, contentful: ContentfulPort) {
    super();
    this.ports = { storyblok, contentful };
  }

  listPorts(): readonly CmsPort[] {
    return Object.values(this.ports);
  }

  getPort(provider: CmsProvider): CmsPort {
    return this.ports[provider];
  }
}
