import type { CmsPort, CmsProvider } from '../domain/cms-port';

/** The CMS products that sites can be connected to. */
export abstract class CmsPorts {
  abstract listPorts(): readonly CmsPort[];
  abstract getPort(provider: CmsProvider): CmsPort;
}
