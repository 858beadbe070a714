import { Button } from '@mantine/core'
import { IconMailbox } from '@tabler/icons-react'

import { EmptyState } from '../../../../platform/web/kit/EmptyState.tsx'
import { Section } from '../../../../platform/web/kit/Section.tsx'
import { Chips, FilterToggle } from '../../../../platform/web/list/Filters.tsx'
import { RowSkeleton } from '../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../platform/web/list/LoadedList.tsx'
import { useSearchParams } from '../../../../platform/web/search-params.ts'
import type { Delivery, Webhook } from '../contract.ts'
import { DELIVERY_STATE_LABELS, DeliveryRow } from './DeliveryRow.tsx'
import { useDeliveries } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'

const DELIVERY_STATES = Object.keys(DELIVERY_STATE_LABELS) as Delivery['state'][]

const formatEmptyReason = (state: Delivery['state'] | undefined): string =>
  state === undefined ? 'No events for this webhook in the last 30 days.' : `No delivery of the last 30 days is ${state}.`

/** The deliveries of a webhook, newest first, each with what was sent. */
export const DeliveryList = ({ webhook }: { webhook: Webhook }) => {
  const [{ state: requested, open }, change] = useSearchParams()
  const state = DELIVERY_STATES.find((one) => one === requested)
  const query = useDeliveries(webhook._id, state)
  return (
    <Section title="Deliveries">
      <div className={layoutClasses.bottomMargin16} data-print="no">
        <Chips label="Filters">
          {DELIVERY_STATES.map((one) => (
            <FilterToggle
              key={one}
              label={DELIVERY_STATE_LABELS[one]}
              on={one === state}
              onToggle={(on) => change({ state: on ? one : undefined, open: undefined })}
            />
          ))}
        </Chips>
      </div>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {({ pages }) => {
          const deliveries = pages.flat()
          return deliveries.length === 0 ? (
            <EmptyState icon={IconMailbox} title="No deliveries to display">
              <p>{formatEmptyReason(state)}</p>
            </EmptyState>
          ) : (
            <>
              <ul aria-label="Deliveries">
                {deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery._id}
                    webhook={webhook}
                    delivery={delivery}
                    isOpen={open === String(delivery._id)}
                    onToggle={(isOpen) => change({ open: isOpen ? String(delivery._id) : undefined })}
                  />
                ))}
              </ul>
              {query.hasNextPage ? (
                <Button
                  className={layoutClasses.topMargin16}
                  variant="default"
                  loading={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show Older
                </Button>
              ) : null}
            </>
          )
        }}
      </LoadedList>
    </Section>
  )
}
