import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CheckSettings } from '#contract/check-settings.ts'
import { companyCalls } from '#contract/companies.ts'
import { statusCalls } from '#contract/statuses.ts'
import { aCompany } from '#web/testing/company.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { COMPANY_ID, sessionWith } from '#web/testing/session.ts'
import { checkValues, parseCheckValues } from './check-values.ts'

const company = (version: number, check_settings: CheckSettings) => aCompany({ version, check_settings })

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server
    .on(statusCalls.index, () => ({ data: [] }))
    .on(companyCalls.editForm, () => ({ data: { model: 'companies', id: COMPANY_ID, title: '', version: 4, sections: [] } }))
    .on(companyCalls.show, () => ({ data: company(4, { checks: { 'DQ-18': { enabled: false } } }) }))
    .on(companyCalls.update, ({ body }) => ({ data: company(5, body.check_settings ?? {}), message: 'The company was saved.' }))
})
afterEach(resetPage)

const open = async () => {
  const { user } = renderApp('/settings', sessionWith(['view_company_details', 'update_companies']))
  return { user, form: within(await screen.findByRole('form', { name: 'Reconciliation Checks' })) }
}
const saved = () => server.bodies(companyCalls.update)

describe('the checks of the settings', () => {
  it('are saved with only what differs from the usual rules', async () => {
    const { user, form } = await open()
    await user.click(form.getByRole('switch', { name: /^No year built/ }))
    const months = form.getByRole('textbox', { name: 'Too old after' })
    await user.clear(months)
    await user.type(months, '24')
    const share = form.getByRole('textbox', { name: 'Below' })
    await user.clear(share)
    await user.type(share, '85')
    await user.selectOptions(form.getByRole('combobox', { name: 'Severity of Placeholder repeated' }), 'Warning')
    await user.click(form.getByRole('button', { name: 'Save Checks' }))
    await waitFor(() =>
      expect(saved()).toEqual([
        {
          version: 4,
          check_settings: {
            checks: { 'DQ-04': { enabled: false }, 'DQ-16': { severity: { usual: 'warning' } }, 'DQ-18': { enabled: false } },
            numbers: { staleMonths: 24, underinsuredBelow: 0.85 },
          },
        },
      ]),
    )
    expect(await screen.findByText('The checks were saved. Your accounts are being checked again.')).toBeDefined()
  })

  it('show an error at its field and send nothing', async () => {
    const { user, form } = await open()
    const months = form.getByRole('textbox', { name: 'Too old after' })
    await user.clear(months)
    await user.type(months, 'soon')
    await user.click(form.getByRole('button', { name: 'Show the usual building value per square foot' }))
    const low = form.getByRole('textbox', { name: 'Office, from, in US dollars per square foot' })
    await user.clear(low)
    await user.type(low, '5,000')
    await user.click(form.getByRole('button', { name: 'Save Checks' }))
    expect(await form.findByText('Please enter a number.')).toBeDefined()
    expect(form.getByText('The low value must be below the high one.')).toBeDefined()
    expect(saved()).toEqual([])
  })

  it('go back to the usual rules', async () => {
    const { user, form } = await open()
    await user.click(form.getByRole('button', { name: 'Use the usual rules' }))
    await user.click(form.getByRole('button', { name: 'Save Checks' }))
    await waitFor(() => expect(saved()).toEqual([{ version: 4, check_settings: {} }]))
  })

  it('keep the changes of the user when another user has saved in the meantime', async () => {
    server.on(companyCalls.update, () => errorAnswer('conflict', 'Another user changed this.', {}, { changed_by: 'Ann Lee' }))
    const { user, form } = await open()
    await user.click(form.getByRole('switch', { name: /^No year built/ }))
    server.on(companyCalls.show, () => ({ data: company(5, { checks: { 'DQ-05': { enabled: false } } }) }))
    await user.click(form.getByRole('button', { name: 'Save Checks' }))
    expect(await form.findByText(/^Ann Lee changed the checks in the meantime/)).toBeDefined()
    await waitFor(() => expect(form.getByRole('switch', { name: /^No stories or floor area/ })).toHaveProperty('checked', false))
    expect(form.getByRole('switch', { name: /^No year built/ })).toHaveProperty('checked', false)
  })

  it('are not shown to users who cannot change them', async () => {
    renderApp('/settings', sessionWith(['view_company_details']))
    await screen.findByText('Your Company')
    expect(screen.queryByText('Reconciliation Checks')).toBeNull()
  })

  it('have the same settings after a round trip through the fields', () => {
    const settings: CheckSettings = {
      checks: { 'DQ-09': { enabled: false, severity: { raised: 'warning' } } },
      numbers: { duplicateValueTolerance: 0.0125, sprinklerFromTiv: 2_500_000, combustibleBuiltFrom: 1850 },
      value_bands: { office: [0, 1_234.5], unknown: [10, 20] },
    }
    expect(parseCheckValues(checkValues(settings))).toEqual({ settings })
  })
})
