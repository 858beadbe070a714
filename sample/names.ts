import type { Random } from './random.ts'

/** Hand-made lists: realistic names of many origins, combined at random. */
const FIRST =
  `Marisol Theodore Tobias Anneliese Priyanka Corinne Dana Lucía Rashad Imani Noelle Gavin Beatriz Hollis Wendell Farah Joaquín Keiko Desmond Tamsin
Ines Ruben Marguerite Calvin Yesenia Dmitri Adaeze Philippa Marcus Leilani Osvaldo Greta Hamza Rosalind Emeka Vivian Kwame Sunita Bridget Alonzo
Nadia Everett Paloma Jerome Siobhan Terrence Mei Gloria Ravi Charlotte Andre Fatima Walter Xiomara Julian Ngozi Pauline Hector Astrid Curtis
Maribel Sanjay Lorraine Teo Delphine Reggie Aisha Vernon Catalina Ibrahim Jocelyn Mateo Harriet Darnell Soledad Phoebe Arturo Wren Malik Consuelo
Zoë René Chloé Søren Jürgen Núria Anaïs Agnieszka Ximena Thuy Duc Linh Kavita Deepak Meera Tariq Layla Omar Yara Nasir Camille Bernard Odette
Stephanie Gregory Denise Raymond Cheryl Patrick Monica Kenneth Yolanda Douglas Renee Howard Valerie Russell Tamara Leonard Adriana Nolan Kiara
Francisco Esperanza Rogelio Maricela Efraín Griselda Cesar Lupita Rodrigo Itzel Damian Estrella Nicolás Belén Simone Trevor Alicia Brandon Leticia
Cody Vanessa Micah Rebecca Jonah Miriam Levi Hannah Silas Judith Ezra Naomi Abel Esther Caleb Lydia Amos Priscilla Felix Octavia Hugo Ingrid Otto
Annika Lars Freya Bjorn Sigrid Kai Malia Keoni Nalani Tevita Sina Amara Chidi Folake Kofi Abena Tunde Zainab Sekou Mariama Hye-jin Min-jun Yuki
Haruto Sakura Kenji Jun Wei Xin Ting Hao Minh Anh Quyen Bao Kim-Ly Rosa Elena Victor Teresa Samuel Irene Martin Angela Peter Claire Simon Ruth`
    .split(/\s+/)
    .filter(Boolean)

const LAST =
  `Vance Nakagawa Lindqvist Ferreira-Whitcombe Deol Abernathy-Sato Whitlock Okafor Castellanos Brandvold Quintanilla Haddad Thibodeaux Marchetti
O’Rourke D’Angelo MacAllister Ruiz-Calderón Nuñez Peña Ibáñez Muñoz Zúñiga Echeverría Villaseñor Ordóñez Béranger Lefèvre Müller Schröder Björklund
Østergaard Kowalczyk Wójcik Novák Dvořák Petrović Papadakis Ionescu Szabó Yıldız Demir Haidari Farahani Rahimi Siddiqui Chaudhry Venkataraman Iyer
Banerjee Mukherjee Kulkarni Pillai Nguyen Tran Pham Vo Ly Truong Xiong Vang Moua Yang Zhao Feng Liang Huang Kwan Leung Tanaka Fujimoto Hayashi
Ishikawa Morimoto Pak Choi Seo Yoon Bautista Dela-Cruz Macaraeg Salonga Kealoha Tuiasosopo Fonoti Mensah Boateng Adeyemi Nwosu Eze Diallo Traoré
Abdi Warsame Tesfaye Bekele Washington-Boyd Gaines Tolliver Braswell Hargrove Pettway Ledbetter Whitaker Coleman-Ross Beaumont Fontenot Guidry
Hollingsworth Pemberton Ashworth Lockhart Cavanaugh Delaney Gallagher Mulcahy Fitzgibbon Brennan-Ochoa Sandoval Arredondo Barragán Cervantes
Escobedo Fuentes-Lara Galindo Herrera-Bloom Jaramillo Ledesma Montaño Olvera Palomino Quezada Rentería Saldívar Tafoya Urrutia Valdovinos Zamudio
Aldridge Birdsong Callahan Drummond Ellsworth Fairbanks Goodwin Hathaway Ingram Jessup Kettering Langford Merriweather Norwood Oakes Prescott Quimby
Redfern Stanhope Thornbury Upchurch Vandermeer Winslow Yarborough Zeller Amundsen Bergstrom Carlsen Dahlgren Engstrom Falk Gustafson Holmgren Iverson
Jorgensen Knutson Lundgren Magnusson Nystrom Overgaard Rasmussen Sorensen Thorsen Uhlir Voss Weidner Becker-Hahn Brandt Dietrich Eberhardt Friedrich
Gruber Hoffmann Keller Lehmann Baptiste Charbonneau Desrosiers Gauthier Laramie Moreau Pelletier Rousseau Santangelo Bellini Caruso DiMarco Esposito
Fiorello Lombardi Pagano Ricci Vitale Ames Barlow Cates Dunham Easley Fenwick Grady Hobbs Irwin Kirby Lamar Mabry Nance Odom Pruitt Rigsby Sykes
Tatum Vickers Wofford Yancey Begay Tsosie Yazzie Nez Benally Etsitty Sakamoto-Reyes Van-der-Berg St.-Clair`
    .split(/\s+/)
    .filter(Boolean)

const INITIALS = 'A B C D E F G J K L M P R S T'.split(' ')

const NICKNAMES: Record<string, string> = {
  Theodore: 'Teddy', Francisco: 'Paco', Beatriz: 'Bea', Reggie: 'Reg', Gregory: 'Greg', Stephanie: 'Steph', Douglas: 'Doug', Kenneth: 'Ken',
  Rebecca: 'Becca', Samuel: 'Sam', Guadalupe: 'Lupe', Patrick: 'Pat', Raymond: 'Ray', Esperanza: 'Espi', Catalina: 'Cat', Vivian: 'Viv',
  Leonard: 'Lenny', Marguerite: 'Margo', Alonzo: 'Lon', Xiomara: 'Xio', Osvaldo: 'Ozzie', Nicolás: 'Nico', Charlotte: 'Charlie', Rosalind: 'Roz',
} // prettier-ignore

/** Names that are difficult to display in lists; each is used once in a network, for unrelated people. */
export const UNUSUAL_NAMES = [
  'Maximiliana Esperanza Fernández de la Vega y Villanueva-Ruiz', // 60 letters
  '王美玲',
  'נועה בן־דוד',
  'Nicolás “Nico” Peña-O’Malley III',
  'X Æ Lindqvist',
  'Mary Kate St. John-Smythe, Ed.D.',
  'O',
] as const

export const pickFirstName = (random: Random): string => random.pick(FIRST)
export const pickLastName = (random: Random): string => random.pick(LAST).replace(/-(?=der|Berg|Clair)|(?<=^Dela)-/g, ' ')

/** `Marisol Vance`, occasionally with a nickname or an initial. */
export const pickFullName = (random: Random): string => {
  const first = pickFirstName(random)
  const last = pickLastName(random)
  const nickname = NICKNAMES[first]
  if (nickname !== undefined && random.chance(0.35)) return `${first} “${nickname}” ${last}`
  return random.chance(0.04) ? `${first} ${random.pick(INITIALS)}. ${last}` : `${first} ${last}`
}
