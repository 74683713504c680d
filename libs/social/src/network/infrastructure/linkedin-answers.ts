import { z } from 'zod';

const text = z.string().max(4_096);
const seconds = z.number().int().nonnegative();

/** `token_type` may be missing; scopes come separated by commas or blanks. */
export const GRANT = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: seconds,
  refresh_token: z.string().max(16_384).optional(),
  refresh_token_expires_in: seconds.optional(),
  scope: text.optional(),
});
export const USER_INFO = z.object({ sub: text, name: text.optional(), picture: text.optional() });
export const ME = z.object({ id: text, localizedFirstName: text.optional(), localizedLastName: text.optional() });
export const ORGANIZATION_ACLS = z.object({
  elements: z.array(z.object({ role: text, organization: text.optional(), organizationTarget: text.optional() })).max(1_000),
});
export const ORGANIZATION = z.object({ localizedName: text.optional(), vanityName: text.optional() });
export const SINGLE_UPLOAD = z.object({
  value: z.object({ uploadUrl: z.string().max(8_192), image: text.optional(), document: text.optional() }),
});
export const VIDEO_UPLOAD = z.object({
  value: z.object({
    video: text,
    uploadToken: text,
    uploadInstructions: z
      .array(z.object({ uploadUrl: z.string().max(8_192), firstByte: z.number().int(), lastByte: z.number().int() }))
      .min(1)
      .max(1_000),
  }),
});
export const ASSET = z.object({ status: text });
export const POSTS = z.object({
  elements: z
    .array(
      z.object({
        id: text,
        commentary: z.string().max(20_000).optional(),
        createdAt: z.number().optional(),
        publishedAt: z.number().optional(),
      }),
    )
    .max(100),
});
const count = z.number().int().nonnegative().optional();
export const STATISTICS = z.object({
  elements: z
    .array(
      z.object({
        share: text.optional(),
        ugcPost: text.optional(),
        totalShareStatistics: z.object({
          impressionCount: count,
          uniqueImpressionsCount: count,
          clickCount: count,
          likeCount: count,
          commentCount: count,
          shareCount: count,
        }),
      }),
    )
    .max(100),
});
export const REFUSAL = z.object({
  status: z.number().optional(),
  code: text.optional(),
  serviceErrorCode: z.number().optional(),
  message: z.string().max(20_000).optional(),
  error: text.optional(),
  error_description: z.string().max(20_000).optional(),
  errorDetails: z
    .object({
      inputErrors: z
        .array(z.object({ code: text.optional(), description: z.string().max(20_000).optional() }))
        .max(100)
        .optional(),
    })
    .optional(),
});
