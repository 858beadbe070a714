import { deadlineHistory } from '../../contract/deadlines.ts'
import type { HistoryParts } from '../../contract/history.ts'
import { affairLabels, districtLabels, memberLabels, sectionTitles } from './fields.ts'

export const affairHistory: HistoryParts = {
  charter_affair: {
    name: 'the charter affair',
    title: 'Charter affair',
    labels: { charter: 'Charter', ...sectionTitles },
    sections: affairLabels,
  },
  authorizer_board_member: {
    name: 'the board member',
    title: sectionTitles.authorizer_board_member,
    labels: memberLabels,
    titleFields: ['board_member_name'],
    isFreeText: true,
  },
  center_district: {
    name: 'the district',
    title: sectionTitles.center_district,
    labels: districtLabels,
    titleFields: ['center_name'],
    isFreeText: true,
  },
}

/** The parts of an affair, and the deadlines that come from it. */
export const affairHistoryWithDeadlines: HistoryParts = {
  ...affairHistory,
  deadline: {
    ...deadlineHistory,
    titles: Object.fromEntries([
      ...Object.entries(affairLabels).flatMap(([section, labels]) =>
        Object.entries(labels).map(([field, label]) => [
          `${section}.${field}`,
          `${sectionTitles[section as keyof typeof affairLabels]}: ${label}`,
        ]),
      ),
      ...Object.entries(memberLabels),
    ]),
  },
}
