import { useMutation } from '@tanstack/react-query'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'

interface Divestment {
  divested_on: string
  divested_reason: string
  divested_note?: string
}

async function act(property: Property, action: 'divest' | 'reactivate', input: Record<string, unknown>): Promise<string> {
  const { message } = await api(propertyCalls.act, { body: { action, selectedIds: [property.id], input, account_id: property.account_id } })
  invalidateAfterWrite('account_properties', property.id, property.account_id)
  return message
}

export function useDivest(property: Property, onDone: () => void) {
  return useMutation({
    mutationFn: ({ divested_on, divested_reason, divested_note }: Divestment) =>
      act(property, 'divest', { divested_on, divested_reason, ...(divested_note === undefined ? {} : { divested_note }) }),
    onSuccess: (message) => {
      toast.success(message)
      onDone()
    },
  })
}

export function useReactivate(property: Property) {
  return useMutation({
    mutationFn: () => act(property, 'reactivate', {}),
    onSuccess: (message) => toast.success(message),
    onError: (error) => toast.warning(messageOf(error)),
  })
}
