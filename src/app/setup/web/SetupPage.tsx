import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'

import { errorMessage } from '../../../platform/web/failures.ts'
import { DetailSkeleton } from '../../../platform/web/kit/DetailSkeleton.tsx'
import { LoadedRecord } from '../../../platform/web/kit/LoadedRecord.tsx'
import { Section } from '../../../platform/web/kit/Section.tsx'
import { Tabs } from '../../../platform/web/kit/Tabs.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { useSearchParams } from '../../../platform/web/search-params.ts'
import type { Setup } from '../contract.ts'
import { SETUP_STEPS, STEP_TEXTS, type SetupStep } from '../rules.ts'
import { FindingsSection } from './FindingsSection.tsx'
import { MailStep } from './MailStep.tsx'
import { OrganizationStep } from './OrganizationStep.tsx'
import { PeopleStep } from './PeopleStep.tsx'
import { useSaveStep, useSetup } from './queries.ts'
import { RecordsStep } from './RecordsStep.tsx'
import { SampleNotice } from './SampleNotice.tsx'
import { SignInStep } from './SignInStep.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'

const MARKS = { done: '✓ ', skipped: '– ', open: '' } as const
const STATE_WORDS = { done: 'Done', skipped: 'Skipped for now', open: '' } as const

const isStep = (name: string | undefined): name is SetupStep => SETUP_STEPS.some((step) => step === name)

interface StepProps {
  readonly setup: Setup
  /** Goes to the next step. */
  readonly onDone: () => void
}
const STEPS: Readonly<Record<SetupStep, (props: StepProps) => ReactNode>> = {
  organization: OrganizationStep,
  records: RecordsStep,
  sign_in: SignInStep,
  mail: MailStep,
  people: PeopleStep,
}

/** The current step, and how it is left. */
const CurrentStep = ({ setup, step }: { setup: Setup; step: SetupStep }) => {
  const navigate = useNavigate()
  const next = SETUP_STEPS[SETUP_STEPS.indexOf(step) + 1]
  const goOn = () => void (next === undefined ? navigate({ to: '/' }) : navigate({ to: '/setup', search: { step: next } }))
  const saving = useSaveStep(goOn)
  const { title, about } = STEP_TEXTS[step]
  const state = setup.steps.find(({ name }) => name === step)?.state ?? 'open'
  const Step = STEPS[step]
  const finish = () => saving.mutate({ step, state: 'done' })
  return (
    <Section title={title}>
      <p className={textClasses.dimmed}>{about}</p>
      {state === 'open' ? null : <p className={`${textClasses.small} ${textClasses.strong}`}>{STATE_WORDS[state]}</p>}
      <div className={`${layoutClasses.stack} ${layoutClasses.topMargin20}`}>
        <Step setup={setup} onDone={finish} />
        <div role="alert">{saving.error ? <p className={textClasses.error}>Error: {errorMessage(saving.error)}</p> : null}</div>
        <div className={layoutClasses.wrappingRow}>
          {state === 'done' ? null : (
            <Button variant="default" onClick={() => saving.mutate({ step, state: 'skipped' })}>
              Skip for Now
            </Button>
          )}
          {step === 'organization' && state !== 'done' ? null : (
            <Button variant={state === 'done' ? 'filled' : 'default'} loading={saving.isPending} onClick={finish}>
              {next === undefined ? 'Finish' : `Continue to ${STEP_TEXTS[next].title}`}
            </Button>
          )}
        </div>
      </div>
    </Section>
  )
}

const SetupSteps = ({ setup }: { setup: Setup }) => {
  const [{ step }, change] = useSearchParams()
  const current = isStep(step) ? step : undefined
  const firstOpen = setup.steps.find(({ state }) => state === 'open')?.name ?? 'organization'
  useEffect(() => {
    if (current === undefined) change({ step: firstOpen })
  }, [current, firstOpen, change])
  const done = setup.steps.filter(({ state }) => state === 'done').length
  return (
    <div className={layoutClasses.narrowPage}>
      <ListHead title="Set up Homeroom" summary={`${done} of ${setup.steps.length} steps done. Each can be skipped, and done later.`} />
      {setup.sample ? <SampleNotice sample={setup.sample} /> : null}
      <Tabs
        label="Steps"
        tabs={setup.steps.map(({ name, state }, at) => ({
          label: `${MARKS[state]}${at + 1} ${STEP_TEXTS[name].title}`,
          to: '/setup',
          search: { step: name },
          isBySearch: true,
        }))}
      />
      <div className={layoutClasses.topMargin24}>
        {current === undefined ? null : <CurrentStep key={current} setup={setup} step={current} />}
        <FindingsSection />
      </div>
    </div>
  )
}

/** `/setup`, for level 1: brings an empty program to the network’s own records, step by step. */
export const SetupPage = () => (
  <LoadedRecord query={useSetup()} what="setup" skeleton={<DetailSkeleton beside="picture" />}>
    {(setup) => <SetupSteps setup={setup} />}
  </LoadedRecord>
)
