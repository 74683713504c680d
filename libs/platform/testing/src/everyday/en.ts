import type { Everyday } from './everyday';

export const EN: Everyday = {
  language: 'en',
  documents: [
    {
      title: 'Allotment notes.md',
      text: `# Allotment
The water is turned on from 1 April to 31 October. The key to the shed hangs behind the blue door at number 14.
## Beds
Tomatoes are planted out after the last frost, usually in mid May.
Beans need a pole of at least two metres.
## Compost
No cooked food goes on the heap, it draws rats.
The heap is turned every six weeks.
## Neighbours
Mrs Okafor at plot 9 lends her wheelbarrow.
`,
    },
    {
      title: 'Harbour handbook.md',
      text: `# Handbook for berth holders
## Office
Opening hours: Monday to Friday 8:00-17:00, Saturday 9:00-12:00
On Sundays and public holidays the office is closed.
Phone: 01632 960 114
Email: office@merrowharbour.example
## Fees
Mooring fees are invoiced in January and are due within 30 days.
Boats over 12 metres pay a surcharge of 15 %.
Late payment: a reminder costs £12.
## Rules
- Speed limit inside the breakwater is 3 knots.
- Dogs must be on a lead on all pontoons.
- Waste oil goes into the green tank next to the crane.
- Guests may stay at a free berth for up to three nights.
## Emergencies
In case of fire call 999 first, then the harbour master (Tom Barrow) on 01632 960 199.
`,
    },
    {
      title: 'Pool prices.md',
      text: `# Lido price list 2026

| Ticket | Adult | Child |
|---|---|---|
| Single visit | £6.50 | £3.20 |
| Ten visits | £58.00 | £28.00 |
| Season | £140.00 | £65.00 |
| Family day | £16.00 | included |

Children under 4 swim free of charge.
Lockers take a £1 coin, which is returned.
The lido does not take cheques.
`,
    },
    {
      title: 'Minutes of 12 March.txt',
      text: `Minutes of the residents' meeting, 12 March 2026, 19:00, community room
Present: A. Lund, P. Mbeki, R. Castell, S. Wren
Apologies: J. Frost

1. Bicycle cellar
The cellar is to be cleared on 18 April. Bicycles without a name tag will be given to the repair café.
Responsible: P. Mbeki

2. Lift
The lift will be out of order from 4 to 8 May because of the new motor.
The work costs £9,400 and is paid from the reserve.

3. Stair cleaning
It was agreed to change to the firm Brightstep from June. The vote was 3 in favour, 1 against.

Next meeting: 14 May 2026, 19:00
`,
    },
    {
      title: 'Parcel shop FAQ.md',
      text: `# Questions people ask

Q: How long do you keep a parcel?
A: Seven working days, then it goes back to the sender.

Q: Can somebody else collect my parcel?
A: Yes, with your collection code and their own photo ID.

Q: What is the heaviest parcel you take?
A: 31.5 kg.

Q: Do you print labels?
A: We do, for 50 pence a label.

Q: Where do I park?
A: There are two short-stay spaces behind the bakery.
`,
    },
    {
      title: 'Mail from Dana.txt',
      text: `From: Dana Whitlock <dana@tern.example>
To: all
Subject: Office move

Hi everyone,

quick update about the move. The vans come on Thursday 9 July at 7:30, so please have your boxes packed by Wednesday evening.
Our new address is 27 Quay Street, second floor.
The door code is given out by reception, not by mail.
Desk plants travel with Priya, not with the vans.
If you have a monitor of your own, tell Marek by Monday.

Thanks
Dana
`,
    },
    {
      title: 'Library Ashford.md',
      text: `# Ashford library
Opening hours
Monday: 10:00-18:00
Tuesday: 10:00-18:00
Wednesday: closed
Saturday: 9:00-13:00
Loans run for four weeks and can be renewed twice.
Printing costs 10 pence a page.
`,
    },
    {
      title: 'Library Ashwell.md',
      text: `# Ashwell library
Opening hours
Monday: 13:00-19:00
Tuesday: closed
Wednesday: 9:00-17:00
Saturday: 10:00-14:00
Loans run for three weeks and can be renewed once.
Printing costs 15 pence a page.
`,
    },
    {
      title: 'Surgery leaflet.md',
      held: true,
      text: `# Dr Ahlgren, family surgery
## Appointments
Book by phone from 8:15 or online at any time.
If you cannot come, cancel at least 24 hours before, otherwise we charge £20.
## Prescriptions
Repeat prescriptions are ready after two working days.
They can be picked up at the desk or sent to a pharmacy.
## Hours
- Mon, Tue, Thu: 8:30-12:00 and 14:00-18:00
- Wed: 8:30-12:00
- Fri: 8:30-15:00
## Vaccinations
Flu shots are given on Wednesday mornings in October and November.
## Out of hours
When the surgery is closed, dial 111.
`,
    },
    {
      title: 'Printer.txt',
      held: true,
      text: `PRINTER ON THE 2ND FLOOR
Model: Kestrel 400
Toner: type K4-B, spare ones are in cupboard C
Wifi name: tern-print
Paper jam: open the left flap and pull the paper upwards, never downwards.
To scan to mail, press the orange button and choose your name.
Service contract: Volta Copiers, 01632 960 771, customer no. 88213
`,
    },
    {
      title: 'School trip.txt',
      held: true,
      text: `Subject: Year 5 trip to Pendle caves

Dear parents,

on Friday 22 May we go to the Pendle caves. The coach leaves at 8:10 from the car park and is back at about 16:30.
Please send sturdy shoes, a rain jacket and a packed lunch.
The trip costs £18.50 per child; please pay online by 8 May.
It is 9 degrees in the caves all year round.
Mr Doyle takes along medicine that children need, labelled with their name.

Kind regards
Helen Prowse
`,
    },
    {
      title: 'Ferry Northport.md',
      held: true,
      text: `# Ferry from Northport
The first boat leaves at 6:20, the last one at 21:40.
A bicycle costs £4 each way.
The crossing takes 35 minutes.
`,
    },
    {
      title: 'Ferry Southport.md',
      held: true,
      text: `# Ferry from Southport
The first boat leaves at 7:05, the last one at 19:15.
A bicycle costs £6 each way.
The crossing takes 50 minutes.
`,
    },
  ],
  questions: [
    { of: 'Allotment notes.md', ask: 'When is the water turned on?', says: ['from 1 April to 31 October'] },
    { of: 'Allotment notes.md', ask: 'Where is the key to the shed?', says: ['behind the blue door'] },
    { of: 'Allotment notes.md', ask: 'When do I plant out the tomatoes?', says: ['mid May'] },
    { of: 'Allotment notes.md', ask: 'How often is the compost heap turned?', says: ['every six weeks'] },
    { of: 'Allotment notes.md', ask: 'Who lends a wheelbarrow?', says: ['Mrs Okafor'] },
    { of: 'Allotment notes.md', ask: 'Who repairs the greenhouse?', says: null },
    { of: 'Harbour handbook.md', ask: 'When is the harbour office open on Saturdays?', says: ['9:00-12:00'], beside: ['On Sundays'] },
    { of: 'Harbour handbook.md', ask: 'And on Sundays?', after: 'When is the harbour office open on Saturdays?', says: ['closed'] },
    { of: 'Harbour handbook.md', ask: 'What is the phone number of the harbour office?', says: ['01632 960 114'] },
    { of: 'Harbour handbook.md', ask: 'When are mooring fees due?', says: ['within 30 days'] },
    { of: 'Harbour handbook.md', ask: 'How much does a reminder cost?', says: ['£12'] },
    { of: 'Harbour handbook.md', ask: 'What is the speed limit?', says: ['3 knots'] },
    { of: 'Harbour handbook.md', ask: 'Where do I put waste oil?', says: ['green tank'] },
    { of: 'Harbour handbook.md', ask: 'How long may guests stay?', says: ['three nights'] },
    { of: 'Harbour handbook.md', ask: 'Who is the harbour master?', says: ['Tom Barrow'] },
    { of: 'Harbour handbook.md', ask: 'Is there a sauna at the harbour?', says: null },
    { of: 'Harbour handbook.md', ask: 'What does the winter storage of a boat cost?', says: null },
    { of: 'Pool prices.md', ask: 'How much is a season ticket for adults?', says: ['£140.00'] },
    { of: 'Pool prices.md', ask: 'And for a child?', after: 'How much is a season ticket for adults?', says: ['£65.00'] },
    { of: 'Pool prices.md', ask: 'What do ten visits cost?', says: ['£58.00'] },
    { of: 'Pool prices.md', ask: 'Do small children pay for the lido?', says: ['under 4 swim free'] },
    { of: 'Pool prices.md', ask: 'What coin do the lockers need?', says: ['£1 coin'] },
    { of: 'Pool prices.md', ask: 'Is there a discount for students at the lido?', says: null },
    { of: 'Minutes of 12 March.txt', ask: 'When will the lift be out of order?', says: ['from 4 to 8 May'] },
    { of: 'Minutes of 12 March.txt', ask: 'Why is the lift out of order?', says: ['new motor'] },
    { of: 'Minutes of 12 March.txt', ask: 'What does the work on the lift cost?', says: ['£9,400'] },
    { of: 'Minutes of 12 March.txt', ask: 'Who is responsible for the bicycle cellar?', says: ['P. Mbeki'] },
    { of: 'Minutes of 12 March.txt', ask: 'When is the next meeting?', says: ['14 May 2026'] },
    { of: 'Minutes of 12 March.txt', ask: 'Which firm cleans the stairs from June?', says: ['Brightstep'] },
    { of: 'Minutes of 12 March.txt', ask: 'When is the roof going to be repaired?', says: null },
    { of: 'Parcel shop FAQ.md', ask: 'How long is a parcel kept?', says: ['Seven working days'], beside: ['How long do you keep'] },
    { of: 'Parcel shop FAQ.md', ask: 'Can my neighbour collect a parcel for me?', says: ['collection code'], beside: ['somebody else'] },
    { of: 'Parcel shop FAQ.md', ask: 'How heavy may a parcel be?', says: ['31.5 kg'], beside: ['heaviest'] },
    { of: 'Parcel shop FAQ.md', ask: 'Where can I park at the parcel shop?', says: ['behind the bakery'], beside: ['Where do I park'] },
    { of: 'Parcel shop FAQ.md', ask: 'Do you sell stamps?', says: null },
    { of: 'Mail from Dana.txt', ask: 'When do the vans come?', says: ['9 July at 7:30'] },
    { of: 'Mail from Dana.txt', ask: 'What is our new address?', says: ['27 Quay Street'] },
    { of: 'Mail from Dana.txt', ask: 'Who carries the desk plants?', says: ['Priya'] },
    { of: 'Mail from Dana.txt', ask: 'Who gives out the door code?', says: ['reception'] },
    { of: 'Library Ashford.md', ask: 'How long are loans in Ashford?', says: ['four weeks'] },
    { of: 'Library Ashwell.md', ask: 'How long are loans in Ashwell?', says: ['three weeks'] },
    { of: 'Library Ashwell.md', ask: 'When is the library in Ashwell open on Saturday?', says: ['10:00-14:00'] },
    { of: 'Library Ashford.md', ask: 'What does printing cost in the Ashford library?', says: ['10 pence'] },
    {
      of: 'Library Ashwell.md',
      ask: 'And in Ashwell?',
      after: 'What does printing cost in the Ashford library?',
      says: ['15 pence'],
    },
    { of: 'Library Ashford.md', ask: 'What does printing cost in the library of Ashbury?', says: null },
    { of: 'Surgery leaflet.md', ask: 'When is the surgery open on Fridays?', says: ['8:30-15:00'] },
    { of: 'Surgery leaflet.md', ask: 'What happens if I do not cancel my appointment in time?', says: ['£20'] },
    { of: 'Surgery leaflet.md', ask: 'When are repeat prescriptions ready?', says: ['two working days'] },
    { of: 'Surgery leaflet.md', ask: 'When do you give flu shots?', says: ['Wednesday mornings'] },
    { of: 'Surgery leaflet.md', ask: 'What number do I dial when the surgery is closed?', says: ['111'] },
    { of: 'Surgery leaflet.md', ask: 'Does the surgery have an X-ray machine?', says: null },
    { of: 'Printer.txt', ask: 'Which toner does the printer use?', says: ['K4-B'] },
    { of: 'Printer.txt', ask: 'What do I do about a paper jam?', says: ['open the left flap'] },
    { of: 'Printer.txt', ask: 'How do I scan to mail?', says: ['orange button'] },
    { of: 'Printer.txt', ask: 'Who has the service contract for the printer?', says: ['Volta Copiers'] },
    { of: 'Printer.txt', ask: 'How much does a new printer cost?', says: null },
    { of: 'School trip.txt', ask: 'What time does the coach leave?', says: ['8:10'] },
    { of: 'School trip.txt', ask: 'How much is the trip to the caves?', says: ['£18.50'] },
    { of: 'School trip.txt', ask: 'How cold is it in the caves?', says: ['9 degrees'] },
    { of: 'School trip.txt', ask: 'What should the children bring on the trip?', says: ['sturdy shoes'] },
    { of: 'School trip.txt', ask: 'Which museum does year 5 visit?', says: null },
    { of: 'Ferry Northport.md', ask: 'When does the last boat leave Northport?', says: ['21:40'] },
    { of: 'Ferry Southport.md', ask: 'And from Southport?', after: 'When does the last boat leave Northport?', says: ['19:15'] },
    { of: 'Ferry Southport.md', ask: 'How much is a bicycle on the ferry from Southport?', says: ['£6'] },
    { of: 'Ferry Northport.md', ask: 'How much is a bicycle on the ferry from Eastport?', says: null },
  ],
};
