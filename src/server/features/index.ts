import { inviteRoutes } from './account-invites/invites.routes.ts'
import { guestRoutes } from './guests/guests.routes.ts'
import { sharingJobs, sharingRoutes } from './sharing/sharing.routes.ts'
import type { Services } from '#server/engines/context.ts'
import type { Job } from '#server/engines/jobs/define-job.ts'
import type { Route } from '#server/engines/http/answer.ts'
import { sendMail, sendUrgentMail } from '#server/engines/mail/send-mail.job.ts'
import { mailDigests, mailNotification } from '#server/engines/notification/mail-notifications.job.ts'
import { accountRoutes, removeAccountObjects } from './accounts/accounts.record.ts'
import { handOverUploads } from './accounts/hand-over.commands.ts'
import { makeArchive } from './account-files/archive.job.ts'
import { readChecksums, sweepUploads } from './account-files/files.job.ts'
import { notifyNewFiles } from './account-files/new-files.job.ts'
import { queueUnreadTexts, readDocumentText } from './account-files/texts.job.ts'
import { fileRoutes } from './account-files/files.routes.ts'
import { managedRoutes } from './account-files/managed.routes.ts'
import { fileVersionRoutes } from './account-files/versions.routes.ts'
import { propertyRoutes } from './account-properties/properties.record.ts'
import { companyRoutes } from './companies/companies.record.ts'
import { fileCheckRoutes } from './file-check/file-check.routes.ts'
import { flagRoutes } from './flags/flags.routes.ts'
import { helpRoutes } from './help/help.routes.ts'
import { propertyImportRoutes } from './imports/imports.datatable.ts'
import { importJobs, importRoutes } from './imports/imports.routes.ts'
import { maintenanceRoutes } from './maintenance/maintenance.routes.ts'
import { mapRoutes } from './metrics/map.routes.ts'
import { registerSummaryRoutes } from './metrics/register-summary.routes.ts'
import { metricRoutes } from './metrics/metrics.routes.ts'
import { submissionRoutes } from './metrics/submissions.routes.ts'
import { notifyRecommendationsDue } from './notifications/recommendations-due.job.ts'
import { notifySubmissionsDue } from './notifications/submissions-due.job.ts'
import { notificationRoutes } from './notifications/notifications.routes.ts'
import { reconciliationJobs, requestReconciliation } from './reconciliation/reconciliation.commands.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes.ts'
import { riskControlRoutes } from './risk-control/risk-control.record.ts'
import { roleRoutes } from './roles/roles.record.ts'
import { removeExpired } from './session/expired.job.ts'
import { savedViewRoutes } from './saved-views/saved-views.routes.ts'
import { factorRoutes } from './session/factors.routes.ts'
import { initRoutes } from './session/init.routes.ts'
import { sessionRoutes } from './session/session.routes.ts'
import { ssoRoutes } from './sso/sso.routes.ts'
import { statusRoutes } from './statuses/statuses.routes.ts'
import { subscriptionRoutes } from './subscriptions/subscriptions.record.ts'
import { profileRoutes } from './users/profile.routes.ts'
import { userRoutes } from './users/users.record.ts'

export const routes: readonly Route[] = [
  ...guestRoutes,
  ...inviteRoutes,
  ...sharingRoutes,
  ...sessionRoutes,
  ...factorRoutes,
  ...maintenanceRoutes,
  ...ssoRoutes,
  ...initRoutes,
  ...savedViewRoutes,
  ...accountRoutes,
  ...propertyRoutes,
  ...fileRoutes,
  ...fileVersionRoutes,
  ...managedRoutes,
  ...fileCheckRoutes,
  ...riskControlRoutes,
  ...companyRoutes,
  ...profileRoutes,
  ...userRoutes,
  ...subscriptionRoutes,
  ...roleRoutes,
  ...statusRoutes,
  ...helpRoutes,
  ...notificationRoutes,
  ...flagRoutes,
  ...importRoutes,
  ...propertyImportRoutes,
  ...reconciliationRoutes,
  ...metricRoutes,
  ...mapRoutes,
  ...registerSummaryRoutes,
  ...submissionRoutes,
]

export const jobs: readonly Job[] = [
  sendMail,
  sendUrgentMail,
  mailNotification,
  mailDigests,
  notifyNewFiles,
  handOverUploads,
  notifySubmissionsDue,
  notifyRecommendationsDue,
  readChecksums,
  readDocumentText,
  queueUnreadTexts,
  makeArchive,
  sweepUploads,
  removeExpired,
  ...sharingJobs,
  removeAccountObjects,
  ...importJobs,
  ...reconciliationJobs,
]

/** Changed values may open or close findings. */
export const onRegisterChanged: Services['onRegisterChanged'] = (tx, accountId) => requestReconciliation(tx, accountId, 'edit')
