import type { Everyday } from './everyday';

export const DE: Everyday = {
  language: 'de',
  documents: [
    {
      title: 'Hausordnung.md',
      text: `# Hausordnung
## Ruhezeiten
Ruhe herrscht von 13 bis 15 Uhr und von 22 bis 6 Uhr.
Bohren ist nur werktags bis 19 Uhr erlaubt.
## Waschküche
Die Waschmaschine steht im Keller und kostet 2 Euro je Waschgang.
Der Trockenraum wird sonntags nicht benutzt.
## Müll
- Restmüll: Dienstag
- Papier: jeden zweiten Freitag
- Gelbe Säcke: Mittwoch
Sperrmüll meldet jeder selbst beim Abfallhof an.
## Hausmeister
Herr Kowalski, Telefon 0431 9900 17, erreichbar von 8 bis 12 Uhr
`,
    },
    {
      title: 'Preisliste Werkstatt.md',
      text: `# Fahrradwerkstatt Speiche, Preise

| Leistung | Preis | Dauer |
|---|---|---|
| Kleine Inspektion | 49 € | 1 Tag |
| Große Inspektion | 89 € | 2 Tage |
| Reifen wechseln | 15 € | sofort |
| Kette wechseln | 35 € | 1 Tag |

Ein Leihrad bekommen Sie für 8 € am Tag.
Kostenvoranschläge sind gratis.
`,
    },
    {
      title: 'Protokoll Vorstand.txt',
      text: `Protokoll der Vorstandssitzung vom 3. Februar 2026
Anwesend: Frau Brandt, Herr Özdemir, Herr Falk
Entschuldigt: Frau Lehnert

TOP 1 Sommerfest
Das Sommerfest findet am 20. Juni auf dem Vereinsgelände statt.
Den Grill bringt Herr Falk mit.

TOP 2 Beiträge
Der Jahresbeitrag steigt ab 2027 von 60 auf 72 Euro.
Kinder bleiben beitragsfrei.

TOP 3 Turnhalle
Die Turnhalle ist wegen Sanierung bis Ende März gesperrt.

Nächste Sitzung: 7. April 2026
`,
    },
    {
      title: 'Fragen zum Bad.md',
      text: `# Häufige Fragen

F: Darf ich mein eigenes Essen mitbringen?
A: Ja, aber kein Glas am Becken.

F: Wie warm ist das Wasser?
A: Im Sportbecken 26 Grad, im Kinderbecken 31 Grad.

F: Gibt es einen Parkplatz?
A: Ja, 40 Stellplätze hinter dem Eingang, die Stunde kostet 1 Euro.
`,
    },
    {
      title: 'Bürgerbüro Neustadt.md',
      text: `# Bürgerbüro Neustadt
Öffnungszeiten
Montag: 8-12 Uhr
Dienstag: 8-12 Uhr und 14-18 Uhr
Donnerstag: 13-16 Uhr
Ein Personalausweis kostet 37 Euro und ist nach drei Wochen fertig.
Leiterin: Frau Siebert
`,
    },
    {
      title: 'Bürgerbüro Altstadt.md',
      text: `# Bürgerbüro Altstadt
Öffnungszeiten
Montag: 10-16 Uhr
Dienstag: geschlossen
Donnerstag: 9-18 Uhr
Ein Personalausweis kostet 37 Euro und ist nach zwei Wochen fertig.
Leiterin: Frau Tran
`,
    },
    {
      title: 'Kita Elternbrief.txt',
      held: true,
      text: `Betreff: Schließtage und Ausflug

Liebe Eltern,

die Kita ist vom 27. Juli bis zum 7. August geschlossen. Am 5. Juni machen wir einen Ausflug in den Tierpark, der Eintritt kostet 4,50 Euro je Kind.
Bitte geben Sie Sonnencreme und einen Hut mit.
Die Bringzeit endet um 9 Uhr.
Kranke Kinder melden Sie bitte bis 8:30 Uhr ab, Telefon 0431 55 20 88.

Ihre Miriam Oltmanns
`,
    },
    {
      title: 'Ferienwohnung.md',
      held: true,
      text: `# Ferienwohnung Dünenblick
## Anreise
Der Schlüssel liegt im Kästchen neben der Haustür.
Anreise ab 15 Uhr, Abreise bis 10 Uhr.
## WLAN
Netz: duenenblick
Passwort: steht auf der Rückseite des Routers
## Heizung
Die Heizung wird am Regler im Flur eingestellt.
## Haustiere
Hunde sind willkommen und kosten 10 Euro je Nacht.
## Bäcker
Der nächste Bäcker ist in der Strandstraße 4 und öffnet um 6:30 Uhr.
`,
    },
    {
      title: 'Buslinie 11.md',
      held: true,
      text: `# Buslinie 11
Abfahrt am Bahnhof: alle 20 Minuten
Letzter Bus: 23:10 Uhr
Eine Tageskarte kostet 6,20 Euro.
`,
    },
    {
      title: 'Buslinie 12.md',
      held: true,
      text: `# Buslinie 12
Abfahrt am Bahnhof: alle 30 Minuten
Letzter Bus: 22:40 Uhr
Eine Tageskarte kostet 6,20 Euro.
`,
    },
  ],
  questions: [
    { of: 'Hausordnung.md', ask: 'Wann sind Ruhezeiten?', says: ['von 13 bis 15 Uhr'], beside: ['Bohren'] },
    { of: 'Hausordnung.md', ask: 'Wie lange darf man bohren?', says: ['bis 19 Uhr'] },
    { of: 'Hausordnung.md', ask: 'Was kostet ein Waschgang?', says: ['2 Euro'] },
    { of: 'Hausordnung.md', ask: 'Wann wird das Papier abgeholt?', says: ['jeden zweiten Freitag'] },
    { of: 'Hausordnung.md', ask: 'Und der Restmüll?', after: 'Wann wird das Papier abgeholt?', says: ['Dienstag'] },
    { of: 'Hausordnung.md', ask: 'Wie erreiche ich den Hausmeister?', says: ['0431 9900 17'] },
    { of: 'Hausordnung.md', ask: 'Darf ich auf dem Balkon grillen?', says: null },
    { of: 'Preisliste Werkstatt.md', ask: 'Was kostet die große Inspektion?', says: ['89 €'] },
    { of: 'Preisliste Werkstatt.md', ask: 'Und die kleine?', after: 'Was kostet die große Inspektion?', says: ['49 €'] },
    { of: 'Preisliste Werkstatt.md', ask: 'Wie lange dauert es, die Kette zu wechseln?', says: ['1 Tag'] },
    { of: 'Preisliste Werkstatt.md', ask: 'Was kostet ein Leihrad am Tag?', says: ['8 €'] },
    { of: 'Preisliste Werkstatt.md', ask: 'Was kostet eine neue Bremse?', says: null },
    { of: 'Protokoll Vorstand.txt', ask: 'Wann ist das Sommerfest?', says: ['20. Juni'] },
    { of: 'Protokoll Vorstand.txt', ask: 'Wer bringt den Grill mit?', says: ['Herr Falk mit'] },
    { of: 'Protokoll Vorstand.txt', ask: 'Wie hoch ist der Jahresbeitrag ab 2027?', says: ['72 Euro'] },
    { of: 'Protokoll Vorstand.txt', ask: 'Warum ist die Turnhalle gesperrt?', says: ['Sanierung'] },
    { of: 'Protokoll Vorstand.txt', ask: 'Wann ist die nächste Sitzung?', says: ['7. April 2026'] },
    { of: 'Protokoll Vorstand.txt', ask: 'Wer ist der neue Kassenwart?', says: null },
    { of: 'Fragen zum Bad.md', ask: 'Wie warm ist das Wasser im Kinderbecken?', says: ['31 Grad'], beside: ['Wie warm ist das Wasser'] },
    { of: 'Fragen zum Bad.md', ask: 'Kann ich eigenes Essen ins Bad mitbringen?', says: ['kein Glas'], beside: ['eigenes Essen'] },
    { of: 'Fragen zum Bad.md', ask: 'Was kostet der Parkplatz am Bad?', says: ['1 Euro'], beside: ['einen Parkplatz'] },
    { of: 'Fragen zum Bad.md', ask: 'Gibt es im Bad eine Sauna?', says: null },
    { of: 'Bürgerbüro Neustadt.md', ask: 'Wann hat das Bürgerbüro Neustadt am Donnerstag geöffnet?', says: ['13-16 Uhr'] },
    {
      of: 'Bürgerbüro Altstadt.md',
      ask: 'Und in der Altstadt?',
      after: 'Wann hat das Bürgerbüro Neustadt am Donnerstag geöffnet?',
      says: ['9-18 Uhr'],
    },
    { of: 'Bürgerbüro Altstadt.md', ask: 'Wer leitet das Bürgerbüro Altstadt?', says: ['Frau Tran'] },
    { of: 'Bürgerbüro Neustadt.md', ask: 'Wie lange dauert ein Personalausweis in Neustadt?', says: ['nach drei Wochen'] },
    { of: 'Bürgerbüro Neustadt.md', ask: 'Wer leitet das Bürgerbüro Weststadt?', says: null },
    { of: 'Kita Elternbrief.txt', ask: 'Wann ist die Kita im Sommer geschlossen?', says: ['vom 27. Juli bis zum 7. August'] },
    { of: 'Kita Elternbrief.txt', ask: 'Was kostet der Eintritt in den Tierpark?', says: ['4,50 Euro'] },
    { of: 'Kita Elternbrief.txt', ask: 'Bis wann muss ich ein krankes Kind abmelden?', says: ['bis 8:30 Uhr'] },
    { of: 'Kita Elternbrief.txt', ask: 'Wann endet die Bringzeit?', says: ['9 Uhr'] },
    { of: 'Kita Elternbrief.txt', ask: 'Was gibt es in der Kita zum Mittagessen?', says: null },
    { of: 'Ferienwohnung.md', ask: 'Wo liegt der Schlüssel?', says: ['im Kästchen'] },
    { of: 'Ferienwohnung.md', ask: 'Ab wann kann man anreisen?', says: ['ab 15 Uhr'] },
    { of: 'Ferienwohnung.md', ask: 'Wie heißt das WLAN-Netz?', says: ['duenenblick'], beside: ['Rückseite'] },
    { of: 'Ferienwohnung.md', ask: 'Sind Hunde erlaubt?', says: ['Hunde sind willkommen'] },
    { of: 'Ferienwohnung.md', ask: 'Wo ist der nächste Bäcker?', says: ['Strandstraße 4'] },
    { of: 'Ferienwohnung.md', ask: 'Hat die Wohnung eine Spülmaschine?', says: null },
    { of: 'Buslinie 11.md', ask: 'Wann fährt der letzte Bus der Linie 11?', says: ['23:10 Uhr'] },
    { of: 'Buslinie 12.md', ask: 'Und der Linie 12?', after: 'Wann fährt der letzte Bus der Linie 11?', says: ['22:40 Uhr'] },
    { of: 'Buslinie 12.md', ask: 'Wann fährt der letzte Bus der Linie 13?', says: null },
  ],
};
