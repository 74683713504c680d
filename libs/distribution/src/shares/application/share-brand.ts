import { Injectable } from '@nestjs/common';
import { SharedFiles, type HandedOut } from '@atrium/files';
import { WorkspaceBrand, type BrandLogo } from '@atrium/identity';
import type { PageColors } from '../domain/page-colors';
import { pageColors } from '../domain/page-colors';
import type { ShareLink } from '../domain/share-link';
import { ShareAddresses } from './share-addresses';

/** Who sends a link, as visitors see it. */
export interface GuestBrand {
  readonly name: string;
  readonly tagline: string | null;
  readonly logo_url: string | null;
  /** For a dark ground, where the brand has one of its own. */
  readonly dark_logo_url: string | null;
  readonly colors: PageColors | null;
  readonly copyright: string | null;
  readonly disclaimer: string | null;
}

type LogoBackground = 'light' | 'dark';

/** The brand of the workspace on the pages of its links: its name, logo and colours, never an id of a file. */
@Injectable()
export class ShareBrand {
  constructor(
    private readonly brands: WorkspaceBrand,
    private readonly files: SharedFiles,
    private readonly addresses: ShareAddresses,
  ) {}

  /** Within a unit of work. */
  async readBrand(link: ShareLink): Promise<GuestBrand> {
    const { name, brand } = await this.brands.getShownBrand();
    const there = await this.files.findPictures(brand.logos.map(({ file_id }) => file_id));
    const logos = brand.logos.filter(({ file_id }) => there.has(file_id));
    const [light, dark] = [logoFor(logos, 'light'), logoFor(logos, 'dark')];
    const address = (logo: BrandLogo | undefined): string | null =>
      logo ? this.addresses.sealAddress(link, { what: 'logo', file_id: logo.file_id }) : null;
    return {
      name,
      tagline: brand.tagline,
      logo_url: address(light ?? dark),
      dark_logo_url: dark && dark !== light ? address(dark) : null,
      colors: pageColors(brand.colors),
      copyright: brand.legal.copyright,
      disclaimer: brand.legal.disclaimer,
    };
  }

  /** The picture of a logo, as long as the brand has it; within a unit of work. */
  async findLogo(file_id: string): Promise<HandedOut | null> {
    const { brand } = await this.brands.getShownBrand();
    return brand.logos.some((logo) => logo.file_id === file_id) ? ((await this.files.findPictures([file_id])).get(file_id) ?? null) : null;
  }
}

/** The whole logo before the parts of it; one for this ground before one for any. */
function logoFor(logos: readonly BrandLogo[], ground: LogoBackground): BrandLogo | undefined {
  const roles = ground === 'dark' ? (['inverse', 'primary', 'wordmark', 'mark'] as const) : (['primary', 'wordmark', 'mark'] as const);
  const fitting = roles.flatMap((role) =>
    logos.filter((logo) => logo.role === role && (logo.background === ground || logo.background === 'any')),
  );
  return fitting.find(({ background }) => background === ground) ?? fitting[0];
}
