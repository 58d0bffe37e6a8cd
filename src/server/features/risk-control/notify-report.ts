import { isDraftStatus } from '#server/access/risk-control.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { notify } from '#server/engines/notification/notify.ts'
import { responsibleFor } from '#server/engines/notification/recipients.ts'
import { titleOf } from './risk-control.presenter.ts'
import type { ReportRecord } from './risk-control.queries.ts'

/**
 * Notifies of a report that was added, and of one that is no longer a draft: then also users who did not see the draft. A report is one
 * notification for each user.
 */
export async function notifyReport(tx: WriteContext, id: string, before: ReportRecord | undefined): Promise<void> {
  if (before !== undefined && !before.draft) return
  const report = await tx.db
    .selectFrom('risk_control')
    .innerJoin('accounts as a', 'a.id', 'risk_control.account_id')
    .innerJoin('account_properties as p', 'p.id', 'risk_control.property_id')
    .leftJoin('statuses as s', 's.id', 'risk_control.status_id')
    .select(['risk_control.report_number', 'risk_control.account_id', 'risk_control.property_id', 'a.name as account_name'])
    .select(['p.property_name', 'p.location_number', 'p.building_number', 'p.address', 'p.city', isDraftStatus.as('draft')])
    .where('risk_control.id', '=', id)
    .executeTakeFirstOrThrow()
  if (before !== undefined && report.draft) return
  const { account_id: accountId, property_id, report_number: number } = report
  const { owner, brokers } = await responsibleFor(tx.db, accountId)
  const what = `${report.draft ? 'a draft of ' : ''}risk control report ${number}`
  const place = `${titleOf(report)} of ${report.account_name}`
  const did = before === undefined ? `added ${what} to` : `issued ${what} of`
  await notify(tx, [owner, ...brokers], {
    kind: 'risk_control_added',
    accountId,
    subject: { model: 'risk_control', id },
    child: { model: 'risk_control', model_id: id, property_id },
    message: `${viewerName(tx.viewer, tx.config.product.name)} ${did} ${place}.`,
    onceKey: `risk_control_added ${id}`,
  })
}
