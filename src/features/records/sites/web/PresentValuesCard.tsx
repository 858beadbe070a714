import { Skeleton } from '@mantine/core'

import { showPhone } from '../../../../platform/contract/phones.ts'
import { STATUS_LABELS } from '../../../../platform/contract/status.ts'
import { Facts, Lines } from '../../../../platform/web/kit/Facts.tsx'
import { addressLines, hourLines } from './addressText.ts'
import { useSite } from './queries.ts'

const shown = (phone: string | null) => (phone === null ? null : showPhone(phone))

/** What is known of a site now, for whoever says what it should be. */
export const PresentValuesCard = ({ slug }: { slug: string }) => {
  const { data: site, isError } = useSite(slug)
  if (isError) return <p>The current values could not be loaded.</p>
  if (!site) return <Skeleton height={220} aria-hidden />
  const { address } = site
  const principals = site.people.filter(({ role_match }) => role_match.name === 'Principal').map(({ person }) => person.name)
  return (
    <Facts
      facts={[
        { label: 'Phone', value: shown(address.phone), none: 'No number on file' },
        { label: 'Fax', value: shown(address.fax), none: 'No number on file' },
        { label: 'Address', value: addressLines(address).length > 0 ? <Lines of={addressLines(address)} /> : null },
        { label: 'Hours', value: hourLines(address).length > 0 ? <Lines of={hourLines(address)} /> : null },
        { label: 'Status', value: STATUS_LABELS[site.status] },
        { label: 'Principal', value: principals.join(', ') },
        { label: 'Description', value: address.description },
        { label: 'Closures', value: address.closures },
      ]}
    />
  )
}
