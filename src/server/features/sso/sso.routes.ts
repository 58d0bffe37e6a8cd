import { ssoCalls } from '#contract/sso.ts'
import { implementLater } from '#server/engines/http/answer.ts'

/** Loaded when the first call is made: the library of OpenID Connect is not needed before. */
export const ssoRoutes = implementLater(ssoCalls, () => import('./sso.handlers.ts'))
